# What the setup scripts share: sentences instead of traces, and where things lie.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export PIP_DISABLE_PIP_VERSION_CHECK=1
TOOLS=$PWD/.tools

say() { printf 'setup: %s\n' "$*"; }
stop() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# logged FILE SENTENCE COMMAND...: adds the output of a command to a log; when it fails, shows the log's end.
logged() {
    local log=$1 sentence=$2
    shift 2
    mkdir -p "$(dirname "$log")"
    if ! "$@" >>"$log" 2>&1; then
        tail -n 15 "$log" >&2
        stop "$sentence The whole log: $log"
    fi
}

# python_311: prints the first interpreter that is Python 3.11.
python_311() {
    local candidate
    for candidate in python3.11 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    stop "Python 3.11 was not found as python3.11, python3 or python; install it and put it on PATH."
}
