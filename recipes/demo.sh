#!/bin/sh
# From nothing to the paper's table: two snapshots, a question under each, the experiment.
set -eu
cd "$(dirname "$0")/.."
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT INT TERM
export RAG_STORE="$store"

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

run rag build-index sample_corpus/2018 --version 2018
run rag build-index sample_corpus/2016 --version 2016 --no-activate
run rag list-indexes
run rag ask "Who is the President of Peru?"
run rag swap-index 2016
run rag ask "Who is the President of Peru?"
run rag swap-experiment sample_corpus/questions/leaders.jsonl 2016 2018
