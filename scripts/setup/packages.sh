#!/usr/bin/env bash
# Debian packages of debian.txt: installs what is missing where it may, else prints the line to run.
# With the word `slurm`, those of a cluster on this machine, and nothing starts them; with `browser`, Chromium; with `latex`, pdfLaTeX.
source "$(dirname "$0")/common.sh"

[ "$(uname -sm)" = "Linux x86_64" ] || stop "this is $(uname -sm); Linux x86_64 is needed (the fairseq wheel exists for nothing else)."
command -v c++ >/dev/null || stop "no C++ compiler was found as c++; install one (Debian: apt-get install g++)."
python=$(python_311)

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# missing KIND: packages of debian.txt of that kind which are not installed.
missing() {
    local package kind why
    while IFS='|' read -r package kind why; do
        package=${package// /}
        [ "${kind// /}" = "$1" ] && ! installed "$package" && printf '%s ' "$package"
    done < <(grep -v '^#' scripts/setup/debian.txt)
    return 0
}

# Debian keeps parts of its own Python in packages; other interpreters have both parts inside.
interpreter() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null || printf 'python3.11-venv '
    [ -e "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ] || printf 'python3.11-dev '
}

install() {
    $1 env DEBIAN_FRONTEND=noninteractive apt-get update -q
    $1 env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages
}

if ! command -v dpkg-query >/dev/null; then
    say "this is not Debian, so nothing was checked: KenLM needs cmake and the headers of Boost, zlib, bzip2 and xz; METEOR needs WordNet 3.0."
    exit 0
fi
if [ -n "${1:-}" ]; then
    needed="$(missing "$1")" optional=""
else
    needed="$(missing needed)$(interpreter)" optional="$(missing optional)"
fi
packages="$needed$optional"
[ -n "$packages" ] || exit 0
if [ "$(id -u)" = 0 ]; then
    sudo=""
elif sudo -n true 2>/dev/null; then
    sudo="sudo -n"
elif [ -n "$needed" ]; then
    stop "Debian packages are missing and installing them needs root; run this line, then the same command again:  sudo apt-get install -y $packages"
else
    say "optional Debian packages are missing (sudo apt-get install -y $packages); METEOR or Chinese letters in figures may be absent."
    exit 0
fi
say "installing Debian packages: $packages(README.md says what each is for)"
if (logged "$TOOLS/logs/apt.log" "apt-get could not install: $packages." install "$sudo"); then
    exit 0
elif [ -n "${1:-}" ]; then
    stop "without $(missing "$1")the tests that need it are skipped."
elif [ -n "$(missing needed)" ]; then
    stop "without $(missing needed)KenLM cannot be built; install them and run the same command again."
fi
say "continuing without optional packages: $(missing optional)"
