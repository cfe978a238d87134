"""EPUB: the pages of a book in their order, each read as HTML is."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from ragcli.corpus.html import read_page
from ragcli.corpus.marked import Marked
from ragcli.corpus.packed import attribute, locked, parsed, unzipped
from ragcli.corpus.readers import InputFile, Lines, Reader
from ragcli.records import Document

_PAGES = ("application/xhtml+xml", "text/html")


def _read(lines: Lines, file: InputFile) -> Iterator[Document]:
    text = Marked()
    with unzipped(lines, file, "an EPUB") as archive:
        container = parsed(archive.read("META-INF/container.xml"))
        package = attribute(container.find(".//{*}rootfile"), "full-path")
        root = parsed(archive.read(package))
        title = root.findtext("./{*}metadata/{*}title") or ""
        items = {attribute(item, "id"): item for item in root.iterfind("./{*}manifest/{*}item")}
        for each in root.iterfind("./{*}spine/{*}itemref"):
            item = items.get(attribute(each, "idref"))
            if attribute(item, "media-type") not in _PAGES:
                continue
            name = posixpath.join(posixpath.dirname(package), unquote(attribute(item, "href")))
            page = archive.read(posixpath.normpath(name))
            if page.startswith(b"\0") or b"<" not in page:
                raise locked(file, "its pages are encrypted")
            heading, body = read_page(page, f"{file.path}, {name}")
            text.extend(body.below(heading) if heading.strip() != title.strip() else body)
    yield text.document(file, title)


reader = Reader(_read, (".epub",))
