#!/usr/bin/env bash
# A teacher installs the package on a bare Debian 12 that this test fetches, a student works there without a network, and
# the teacher removes it again.
#   bare_debian_test.sh BUILD [KEEP]    KEEP: a folder for the picture of the window
set -uo pipefail
build=$1 keep=${2:-}

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }
PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" -eq 0 ] || skip "only root can install packages into a system of its own"
command -v debootstrap >/dev/null || skip "there is no debootstrap: apt-get install debootstrap"
# Mounts that end with this test.
if [ -z "${WARPSHOP_BARE:-}" ]; then
  unshare --mount true 2>/dev/null || skip "this container allows no mounts"
  WARPSHOP_BARE=1 exec unshare --mount --propagation private -- "$0" "$@"
fi

package=$(ls "$build"/warpshop_*.deb) || skip "no package was made"
folder=$(mktemp -d "${TMPDIR:-/tmp}/warpshop-bare.XXXXXX")
root=$folder/root
finish() {
  umount --quiet --lazy "$root/proc" "$root/dev" 2>/dev/null
  rm -rf --one-file-system "$folder"
}
trap finish EXIT

debootstrap --variant=minbase bookworm "$root" >"$folder/log" 2>&1 ||
  { tail -n 5 "$folder/log"; skip "Debian 12 could not be fetched (above)"; }
mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev" ||
  skip "this container allows no mounts"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod +x "$root/usr/sbin/policy-rc.d"

# root COMMAND...: as the teacher, with a network. student COMMAND...: without one, and without any of our variables.
as_root() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
    chroot "$root" "$@"
}
student() {
  unshare --net chroot --userspec=student:student "$root" env -i PATH=/usr/bin:/bin HOME=/home/student \
    sh -c 'cd && exec "$@"' sh "$@"
}
# expect STATUS TEXT COMMAND...: as the student.
expect() {
  local wanted=$1 text=$2 status=0
  shift 2
  student "$@" >"$folder/said" 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] || { cat "$folder/said"; fail "$*: status $status, wanted $wanted"; }
  [ -z "$text" ] || grep -qF -- "$text" "$folder/said" || { cat "$folder/said"; fail "$*: it does not say '$text'"; }
  echo "ok: $*"
}
every_file() { (cd "$root" && find . -xdev -path ./home -prune -o -path ./tmp -prune -o -name '*warpshop*' -print | sort); }

as_root useradd --create-home student || fail "there is no student"
as_root apt-get -q update >"$folder/log" 2>&1 || { tail -n 5 "$folder/log"; skip "the package lists could not be fetched"; }

# The one command of docs/install.md; first with nothing but what it needs.
cp "$package" "$root/root/"
name=$(basename "$package")
as_root apt-get -q -y install --no-install-recommends "/root/$name" >"$folder/log" 2>&1 ||
  { tail -n 20 "$folder/log"; fail "apt cannot install it"; }
echo "ok: apt install ./$name"
as_root warpshop --version || fail "root cannot start it"

expect 0 "/usr/lib/warpshop/cuda-13.0/lib/libnvrtc.so.13" warpshop doctor
expect 0 "coalescing" warpshop labs
expect 1 "coalescing/one-warp" warpshop check coalescing/one-warp --start
expect 0 "all checks of coalescing/one-warp pass" warpshop check coalescing/one-warp --solution
expect 0 "all checks of tensor-cores" warpshop check tensor-cores --solution
student sh -c 'mkdir -p class/ada/coalescing && warpshop labs --skeleton coalescing/stride >class/ada/coalescing/stride.cu'
expect 0 "1 failed" warpshop grade class --exercise coalescing/stride --out grades

# Their work is theirs.
student sh -c 'warpshop progress export before.json' >/dev/null 2>&1
student sh -c 'mkdir -p .local/share/warpshop && echo "// mine" >.local/share/warpshop/mine.cu'
work() { (cd "$root/home" && find . -type f -exec sha256sum {} + | sort); }

# Again, over itself: an update.
work >"$folder/before"
as_root apt-get -q -y install --reinstall "/root/$name" >"$folder/log" 2>&1 || { tail "$folder/log"; fail "it cannot be reinstalled"; }
gzip -t "$root/usr/share/man/man1/warpshop.1.gz" 2>/dev/null || echo "note: made without help2man, so there is no manual page"
[ -f "$root/usr/share/doc/warpshop/copyright" ] || fail "there is no copyright file"

# The window needs a display; its own libraries have to come with the package.
as_root apt-get -q -y install --no-install-recommends xvfb xauth >"$folder/log" 2>&1 || { tail "$folder/log"; fail "there is no xvfb"; }
expect 0 "" env LIBGL_ALWAYS_SOFTWARE=1 xvfb-run --auto-servernum '--server-args=-screen 0 1600x1000x24' \
  warpshop --lab coalescing --render /home/student/window.png --size 1600x1000
python3 - "$root/home/student/window.png" <<'END' || fail "the picture of the window is none"
import struct, sys
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (1600, 1000), data[:24]
assert len(data) > 50_000, f"{len(data)} bytes: an empty window"
END
if [ -n "$keep" ]; then cp "$root/home/student/window.png" "$keep/"; fi

# Without the compiler, as in a package for the public: what to do, not a riddle.
mv "$root/usr/lib/warpshop" "$root/usr/lib/away"
expect 3 "python3 /usr/share/warpshop/fetch.py /home/student/.cache/warpshop cuda-13.0" \
  warpshop check coalescing/one-warp --solution
mv "$root/usr/lib/away" "$root/usr/lib/warpshop"

work >"$folder/before"
as_root apt-get -q -y purge warpshop >"$folder/log" 2>&1 || { tail "$folder/log"; fail "it cannot be removed"; }
rm -f "$root/root/$name"
left=$(every_file | grep -v '^./var/\(cache\|log\|lib\/apt\)/')
[ -z "$left" ] || fail "after purging there is still: $left"
work >"$folder/after"
diff "$folder/before" "$folder/after" || fail "purging touched a student's files"
grep -q 'mine.cu' "$folder/after" || fail "a student's file is gone"
echo "ok: purged without a trace, and the students' files are untouched"
