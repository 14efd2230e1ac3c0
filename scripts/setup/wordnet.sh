#!/usr/bin/env bash
# WordNet's data where NLTK looks for it; without it METEOR is not computed and its cells say so.
source "$(dirname "$0")/common.sh"

[ -e "$TOOLS/nltk_data/corpora/wordnet/lexnames" ] && exit 0
if ! [ -d /usr/share/wordnet ]; then
    say "WordNet is not installed (Debian: wordnet-base, wordnet-sense-index); METEOR's cells will say so."
    exit 0
fi
logged "$TOOLS/logs/wordnet.log" "WordNet's data could not be laid out for NLTK." \
    .venv/bin/python -m discobench.score.wordnet "$TOOLS/nltk_data"
