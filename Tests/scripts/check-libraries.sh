#!/bin/sh
# Sees by the loader's own log that a command opens only the C libraries that it needs.
set -u

usage() {
    cat <<'END'
usage: check-libraries.sh BINARY

Runs commands of BINARY with the loader's log on. None may open libzip, libcrypto, libxml2 or libpng at its
start, and each only those that it works with. Skipped, with status 0, where the loader keeps no
such log (only glibc's does). Closes with 'N passed, N failed'.
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

work=$(mktemp -d) || exit 73
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
python3 "$root/Samples/make-samples" "$work/apps" || exit 1

# libraries COMMAND…: those of the four that the loader opened, in alphabetical order.
libraries() {
    LD_DEBUG=files LD_DEBUG_OUTPUT=$work/log "$binary" "$@" >/dev/null 2>&1 </dev/null
    cat "$work"/log.* >"$work/files" 2>/dev/null
    rm -f "$work"/log.*
    grep -q 'file=libc\.so' "$work/files" || return 1
    sed -n 's/.*calling init: .*\/\(libzip\|libcrypto\|libxml2\|libpng16\)\.so.*/\1/p' "$work/files" |
        sort -u | tr '\n' ' '
}

libraries --help >/dev/null || {
    echo "skipped: the loader keeps no log here"
    exit 0
}

passed=0
failed=0

# opens WANTED COMMAND…
opens() {
    wanted=$1
    shift
    opened=$(libraries "$@")
    if [ "${opened% }" = "$wanted" ]; then
        passed=$((passed + 1))
    else
        echo "FAIL $*: opened '${opened% }', not '$wanted'"
        failed=$((failed + 1))
    fi
}

app=$work/apps/Harbor.ipa
plist=$work/apps/Harbor.app/Info.plist
opens '' --help
opens '' discover --help
opens 'libcrypto libxml2 libzip' --version
opens '' inspect "$plist"
opens '' plist lint "$plist"
# What is not plain UTF-8 is left to libxml2.
sed 's/UTF-8/ISO-8859-1/' "$plist" >"$work/latin1.plist"
opens 'libxml2' plist lint "$work/latin1.plist"
opens '' plist lint "$work/apps/plists/plain-binary.plist"
opens '' plist convert "$work/apps/plists/plain-binary.plist" --to json -o -
# Debian's libzip brings libcrypto with it.
case $(libraries inspect "$app") in
*libzip*) passed=$((passed + 1)) ;;
*)
    echo "FAIL inspect of an archive: libzip was not seen"
    failed=$((failed + 1))
    ;;
esac

# Icons alone need libpng, and a property list by itself has none.
opens '' inspect "$plist" --html "$work/page.html"
case $(libraries inspect "$app" --html "$work/page.html") in
*libpng16*) passed=$((passed + 1)) ;;
*)
    echo "FAIL inspect --html of an archive: libpng was not seen"
    failed=$((failed + 1))
    ;;
esac

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
