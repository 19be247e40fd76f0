#!/usr/bin/env bash
# Runs the recipes of Samples/fleet over two hosts: two ssh servers on loopback, made for the run.
#
#   check-fleet.sh BINARY
#
# All that comes back must be what one local run makes, and both hosts must have worked. Closes with
# 'N passed, N failed'.
set -euo pipefail

binary=$(realpath -- "$1")
here=$(cd "$(dirname "$0")" && pwd)
fleet=$here/../../Samples/fleet
passed=0 failed=0
# sshd wants its absolute path, which may not be on an ordinary user's PATH.
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd || true)
for command in parallel ssh ssh-keygen rsync; do
  command -v "$command" >/dev/null || missing="${missing-} $command"
done
if [ -z "$sshd" ] || [ -n "${missing-}" ]; then
  echo "fleet: skipped, not installed:${missing-}${sshd:- sshd}"
  exit 0
fi

work=$(mktemp -d)
work=$(realpath "$work")
servers=()
finish() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# check NAME COMMAND...: passed where the command succeeds.
check() {
  local name=$1
  shift
  if "$@" >"$work/said" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL fleet: $name"
    head -n 20 "$work/said" | sed 's/^/  /'
  fi
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start_host NAME: an ssh server of its own, with its own key, home and settings.
start_host() {
  local name=$1 port home=$work/$1
  port=$(free_port)
  mkdir -p "$home/bin"
  ln -s "$binary" "$home/bin/ipa-inject"
  ssh-keygen -q -t ed25519 -N '' -f "$home/host_key"
  cat >"$home/sshd_config" <<EOF
ListenAddress 127.0.0.1
Port $port
HostKey $home/host_key
PidFile none
AuthorizedKeysFile $work/key.pub
AuthenticationMethods publickey
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
MaxStartups 100
SetEnv HOME=$home PATH=$home/bin:$PATH SOURCE_DATE_EPOCH=1767225600
EOF
  "$sshd" -D -f "$home/sshd_config" -E "$home/log" &
  servers+=($!)
  printf '[127.0.0.1]:%s %s\n' "$port" "$(cut -d ' ' -f 1,2 "$home/host_key.pub")" >>"$work/known_hosts"
  cat >>"$work/ssh_config" <<EOF
Host $name
  Port $port
EOF
}

answers() {
  local attempt
  for attempt in $(seq 50); do
    ssh -F "$work/ssh_config" "$1" true 2>"$work/said" && return
    sleep 0.1
  done
  cat "$work/said" "$work/$1/log"
  return 1
}

mkdir "$work/inbox"
ssh-keygen -q -t ed25519 -N '' -f "$work/key"
# A server of root's wants this folder, which its package's service makes when it starts.
[ "$(id -u)" != 0 ] || mkdir -p -m 755 /run/sshd
start_host first
start_host second
cat >>"$work/ssh_config" <<EOF
Host *
  HostName 127.0.0.1
  IdentityFile $work/key
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile $work/known_hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
EOF
check 'the first host answers' answers first
check 'the second host answers' answers second
if [ "$failed" -gt 0 ]; then
  echo "$passed passed, $failed failed"
  exit 1
fi
printf 'first\nsecond\n' >"$work/hosts"

# Eight apps, two with names that a shell could trip over, and one that is cut short.
"$here/../../Samples/make-samples" "$work/samples" >/dev/null
for number in 1 2 3 4 5; do cp "$work/samples/Harbor.ipa" "$work/inbox/Harbor $number.ipa"; done
cp "$work/samples/Pod.ipa" "$work/inbox/\$Pod & 'Co' ü.ipa"
cp "$work/samples/HarborTV.ipa" "$work/inbox/-tv.ipa"
head -c 1000 "$work/samples/Pod.ipa" >"$work/inbox/broken.ipa"

options=(--source 'gh:example/harbor' --destination my-mac.local
  --installation-id 0123456789abcdef0123456789abcdef0123456789abcdef
  --purpose "It's for \$updates & \"more\"")
export SOURCE_DATE_EPOCH=1767225600 HOME=$work/home PARALLEL_SSH="ssh -F $work/ssh_config"
mkdir "$HOME"

status=0
"$binary" batch inject "$work"/inbox/*.ipa --output-dir "$work/local" "${options[@]}" \
  >"$work/local.jsonl" 2>/dev/null || status=$?
check 'one app of a local run fails' test "$status" = 65

# only_apps FOLDER: the names of the apps in it.
only_apps() { (cd "$1" && ls -A | grep '\.ipa$'); }
# same FOLDER: the results are those of the local run.
same() {
  diff <(only_apps "$work/local") <(only_apps "$1")
  local name
  for name in "$work"/local/*.ipa; do cmp "$name" "$1/$(basename -- "$name")"; done
}
# hosts_of JOBLOG: the hosts that did something.
hosts_of() { tail -n +2 "$1" | cut -f 2 | sort -u | paste -sd ' '; }
# lines FILE: a line for each app, and one of them with an error.
lines() {
  python3 - "$1" <<'EOF'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert len(lines) == 8, f"{len(lines)} lines"
failed = [line["input"] for line in lines if line["status"]]
assert len(failed) == 1 and "broken" in failed[0], failed
EOF
}

status=0
"$fleet/over-ssh" "$work/hosts" "$work/inbox" "$work/returned" "${options[@]}" \
  2>"$work/errors" || status=$?
check 'over ssh: one app fails' test "$status" = 1
check 'over ssh: the results are the local ones' same "$work/returned"
check 'over ssh: a line for each app' lines "$work/returned/fleet.jsonl"
check 'over ssh: both hosts worked' test "$(hosts_of "$work/returned/fleet.joblog")" = 'first second'
check 'over ssh: nothing is left on the hosts' \
  test -z "$(find "$work/first" "$work/second" -name '*.ipa')"

find "$work/inbox" -name '*.ipa' | sort >"$work/list"
status=0
"$fleet/over-shared-folder" "$work/hosts" "$work/list" "$work/shared" "${options[@]}" \
  >"$work/shared.jsonl" 2>"$work/errors" || status=$?
check 'shared folder: one share fails' test "$status" = 1
check 'shared folder: the results are the local ones' same "$work/shared"
check 'shared folder: a line for each app' lines "$work/shared.jsonl"
check 'shared folder: both hosts worked' test "$(hosts_of "$work/shared.joblog")" = 'first second'

# The job's own commands, for each of its pods in turn.
pods() {
  python3 "$here/checklib/manifest.py" "$fleet/kubernetes-job.yaml" >"$work/pod" &&
    mkdir "$work/volume" && sed "s|^|$work/inbox/|" <(ls "$work/inbox") >"$work/volume/inbox.txt" ||
    return 1
  cd "$work/volume"
  local index
  for index in 0 1 2 3; do
    SOURCE=gh:example/harbor DESTINATION=my-mac.local JOB_COMPLETION_INDEX=$index \
      PATH=$work/first/bin:$PATH sh -c "$(cat "$work/pod")" >>lines.jsonl || true
  done
  lines lines.jsonl && diff <(only_apps "$work/local") <(only_apps prepared)
}
check 'Kubernetes: the shares are the whole' pods

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
