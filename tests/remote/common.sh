# shellcheck shell=bash
# Shared by the tests of remote workers: a folder that is theirs alone, and what they check with.
#   . common.sh PROGRAM FAKE_WORKER SOURCE_DIR
set -uo pipefail
program=$1 fake_worker=$2 source_dir=$3
folder=$(mktemp -d "${TMPDIR:-/tmp}/warpshop-remote.XXXXXX")
daemons=()  # process ids; ended with the test
failures=0

finish() {
  local status=$?
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
  for pid in "${daemons[@]}"; do wait "$pid" 2>/dev/null; done
  if [ "$status" -eq 0 ] && [ "$failures" -eq 0 ]; then rm -rf "$folder"; else echo "kept: $folder"; fi
}
trap finish EXIT

mkdir -p "$folder/data"
cp -r "$source_dir"/tests/lab/data/. "$folder/data/"
ln -s "$source_dir/assets" "$folder/data/assets"
export WARPSHOP_DATA=$folder/data WARPSHOP_HOME=$folder/home WARPSHOP_LIBNVML=none.so

skip() { echo "skipped: $*"; exit 77; }

# need PROGRAM PACKAGE: looks in /usr/sbin, too.
PATH=$PATH:/usr/sbin:/sbin
need() { command -v "$1" >/dev/null || skip "there is no $1; the Debian package $2 has it"; }

# free_port: a port that nobody listens on now.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.2
  done
}

# expect NAME STATUS FILE [TEXT]...: the last command's $status, and texts that its output has.
expect() {
  local name=$1 wanted=$2 file=$3 text
  shift 3
  if [ "$status" -ne "$wanted" ]; then
    echo "FAILED: $name: status $status, wanted $wanted"; cat "$file"; failures=$((failures + 1))
    return
  fi
  for text in "$@"; do
    if ! grep -qF -- "$text" "$file"; then
      echo "FAILED: $name: there is no '$text' in"; cat "$file"; failures=$((failures + 1))
      return
    fi
  done
  echo "ok: $name"
}
