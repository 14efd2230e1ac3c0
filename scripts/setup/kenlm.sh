#!/usr/bin/env bash
# Builds KenLM's lmplz, build_binary and query into .tools/bin; quick when they are there.
source "$(dirname "$0")/common.sh"

[ -x "$TOOLS/bin/lmplz" ] && [ -x "$TOOLS/bin/build_binary" ] && [ -x "$TOOLS/bin/query" ] && exit 0
command -v cmake >/dev/null || stop "cmake was not found; install it (Debian: apt-get install cmake)."
log=$TOOLS/logs/kenlm.log
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "building KenLM (two to three minutes; progress in $log)"
logged "$log" "pip could not fetch the pinned source of KenLM." \
    .venv/bin/python -m pip download --no-input --no-deps --no-build-isolation --no-binary kenlm --require-hashes \
    -r scripts/setup/kenlm.txt -d "$work"
tar -xzf "$work"/kenlm-*.tar.gz -C "$work" --strip-components=1
logged "$log" "KenLM could not be configured; are Boost, zlib, bzip2 and xz installed with their headers?" \
    cmake -S "$work" -B "$work/build" -DKENLM_MAX_ORDER=6 -DCMAKE_BUILD_TYPE=Release -DCMAKE_POLICY_VERSION_MINIMUM=3.5
logged "$log" "KenLM did not compile." make -C "$work/build" -j2 lmplz build_binary query
mkdir -p "$TOOLS/bin"
for program in lmplz build_binary query; do
    install -m 755 "$work/build/bin/$program" "$TOOLS/bin/.$program"
    mv "$TOOLS/bin/.$program" "$TOOLS/bin/$program"
done
