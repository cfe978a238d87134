"""`python -m ragcli` is `rag`."""

from ragcli.cli.app import main

if __name__ == "__main__":
    main()
