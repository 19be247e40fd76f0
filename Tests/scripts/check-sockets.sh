#!/bin/sh
# Watches with strace that the commands which need no network open no socket.
set -u

usage() {
    cat <<'END'
usage: check-sockets.sh BINARY

Runs `inject --destination`, `inspect` and `verify` of BINARY on a sample app under strace.
Each must open no socket of any kind. Skipped, with status 0, where there is no strace or where
tracing is not allowed. Closes with 'N passed, N failed'.
END
}

case ${1-} in
-h | --help) usage; exit 0 ;;
esac
if [ $# -ne 1 ] || [ ! -x "$1" ] || [ -d "$1" ]; then
    usage >&2
    exit 64
fi
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)

skip() {
    echo "skipped: $1"
    exit 0
}
command -v strace >/dev/null || skip "there is no strace"
strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"

work=$(mktemp -d) || exit 73
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/home" || exit 73
python3 "$root/Samples/make-samples" "$work/apps" || exit 1

passed=0
failed=0

fail() {
    echo "FAIL $1: $2"
    failed=$((failed + 1))
}

# traced NAME HIGHEST COMMAND…: the command ends with a status from 0 to HIGHEST and opens no socket.
traced() {
    name=$1 highest=$2
    shift 2
    (
        cd "$work/home" || exit 1
        HOME=$work/home exec strace -f -qq -e trace=%network -o "$work/trace" \
            "$binary" "$@" >"$work/out" 2>"$work/err" </dev/null
    )
    status=$?
    if [ "$status" -gt "$highest" ]; then
        fail "$name" "exit status $status: $(tail -n 1 "$work/err")"
    elif grep -E '(socket|socketpair|connect)\(' "$work/trace" >"$work/calls"; then
        fail "$name" "$(head -n 1 "$work/calls")"
    else
        passed=$((passed + 1))
    fi
}

app=$work/apps/Harbor.ipa
ready=$work/ready.ipa
# A watcher that sees nothing would pass everything: it must see a socket where there is one.
strace -f -qq -e trace=%network -o "$work/trace" \
    python3 -c 'import socket; socket.socket(socket.AF_UNIX)' 2>/dev/null
grep -q 'socket(' "$work/trace" || skip "strace does not show sockets here"

traced inject 0 inject "$app" -o "$ready" --source gh:example/demo \
    --destination my-mac.local --destination 192.168.1.10
traced inspect 0 inspect "$ready" --json
# An app that is not signed may have findings; that is no concern of this check.
traced verify 1 verify "$ready" --unsigned --json

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
