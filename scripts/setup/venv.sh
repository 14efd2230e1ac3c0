#!/usr/bin/env bash
# venv.sh FOLDER REQUIREMENTS [NODEPS]: a virtual environment from pins; quick when nothing changed.
source "$(dirname "$0")/common.sh"

folder=$1
shift
key=$(cat "$@" | sha256sum)
[ "$(cat "$folder/pins.sha256" 2>/dev/null)" = "$key" ] && exit 0
python=$(python_311)
log=$TOOLS/logs/$(basename "$folder").log
advice="Is a package index within reach of pip?"
say "installing the pins of $1 into $folder (about four minutes; progress in $log)"
mkdir -p "$(dirname "$folder")"
[ -x "$folder/bin/python" ] || "$python" -m venv "$folder" || stop "$python could not make $folder; delete the folder and try again."
pip=("$folder/bin/python" -m pip install --no-input)
logged "$log" "pip could not upgrade itself. $advice" "${pip[@]}" "$(grep -h '^pip==' requirements.lock)" "$(grep -h '^setuptools' "$1")" "$(grep -h '^wheel==' requirements.lock)"
logged "$log" "pip could not install $1 into $folder. $advice" "${pip[@]}" -r "$1"
if [ $# -gt 1 ]; then
    logged "$log" "pip could not install $2 into $folder. $advice" "${pip[@]}" --no-deps -r "$2"
fi
printf '%s\n' "$key" >"$folder/pins.sha256"
