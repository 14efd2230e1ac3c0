#!/usr/bin/env bash
# Builds .tools/lib/seeded.so, by which eflomal, which has no option for it, gets its seed.
source "$(dirname "$0")/common.sh"

library=$TOOLS/lib/seeded.so
[ "$library" -nt scripts/setup/seeded.c ] && exit 0
mkdir -p "$TOOLS/lib"
logged "$TOOLS/logs/seeded.log" "scripts/setup/seeded.c did not compile; is there a C compiler?" \
    c++ -x c -O2 -shared -fPIC scripts/setup/seeded.c -o "$library.part" -ldl
mv "$library.part" "$library"
