# shellcheck shell=bash
# Shared by ./start and ./test: packages, pinned downloads, configure, build. Sourced by bash in the
# repository's root. Every step looks first, so that a second run takes a second or two.
#
#   setup                 everything up to a configured build/
#   build TARGET...       builds these targets
#   build_web             the browser edition, in build/web/; says so where it cannot be had
# Exit status on failure: 3, after saying what to do by hand.

cache=${WARPSHOP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/warpshop}
export WARPSHOP_CACHE=$cache
export DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "== $*"; }

# fail MESSAGE [LINE]...: the message, the lines below it, and out.
fail() {
  printf '%s\n' "warpshop: $1" >&2
  shift
  [ $# -eq 0 ] || printf '    %s\n' "$@" >&2
  exit 3
}

setup() {
  mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] ||
    fail "the cache folder $cache cannot be written; make it yours, or choose another one:" \
      "sudo chown -R $(id -un) $cache" "WARPSHOP_CACHE=/some/folder $0"
  exec 9>"$cache/lock"
  flock 9  # two runs at once wait for each other instead of spoiling the folder
  install_packages
  fetch_pinned
  configure
  exec 9>&-  # nothing that we start inherits the lock
}

# --- packages -------------------------------------------------------------------------------------

# PACKAGE of a program is needed only if the program is not there already, from wherever.
program_packages() {
  while read -r program package; do
    command -v "$program" >/dev/null || echo "$package"
  done <<'END'
cmake cmake
ninja ninja-build
ccache ccache
python3 python3
xvfb-run xvfb
xauth xauth
patch patch
END
  compiler_package
  has_pip || has_venv || echo python3-venv
}

# C++20 as we write it needs GCC 12; Ubuntu 22.04 calls it g++-12.
compiler_package() {
  [ -z "${CXX:-}" ] || return 0
  if [ "$(gcc_version)" -ge 12 ] || command -v g++-12 >/dev/null; then return 0; fi
  if [ "$(gcc_version)" -eq 0 ] && ! is_ubuntu_22; then echo g++; else echo g++-12; fi
}

# The major version of g++; 0 when there is none.
gcc_version() {
  local version
  version=$(g++ -dumpversion 2>/dev/null) || version=0
  echo "${version%%.*}"
}

is_ubuntu_22() { grep -qs '^VERSION_ID="22.04"' /etc/os-release; }

# Headers and libraries, by the names of Debian and Ubuntu.
library_packages="ca-certificates libx11-dev libxrandr-dev libxinerama-dev libxcursor-dev libxi-dev libxtst-dev
  libgl-dev libgl1 libgl1-mesa-dri nlohmann-json3-dev libcli11-dev libgtest-dev libgmock-dev
  libbenchmark-dev libboost-dev libsqlite3-dev libqrcodegencpp-dev"

install_packages() {
  local missing=() package
  mapfile -t missing < <(program_packages)
  if command -v dpkg-query >/dev/null; then
    is_ubuntu_22 || library_packages+=" libtomlplusplus-dev"
    for package in $library_packages; do
      is_installed "$package" || missing+=("$package")
    done
  elif [ ${#missing[@]} -eq 0 ]; then
    return 0  # not a Debian: CMake says which library it lacks
  fi
  [ ${#missing[@]} -gt 0 ] || return 0

  local by_hand="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  command -v apt-get >/dev/null ||
    fail "this system has no apt-get; bring what these Debian packages hold, then run this again:" \
      "${missing[*]}"
  local as_root=()  # what goes before a command to run it as root
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; } ||
      fail "packages are missing, and there is no sudo to install them with. As root, run:" \
        "$by_hand"
    as_root=(sudo DEBIAN_FRONTEND=noninteractive)
  fi
  say "installing ${missing[*]}"
  local log=$cache/packages.log
  if ! { "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=300 update &&
    "${as_root[@]}" apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends \
      "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    fail "the packages could not be installed (above; all of it in $log). When the cause is gone:" \
      "${as_root:+sudo }sh -c '$by_hand'"
  fi
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# --- pinned downloads -----------------------------------------------------------------------------

has_pip() { python3 -m pip --version >/dev/null 2>&1; }
has_venv() { python3 -c 'import venv, ensurepip' >/dev/null 2>&1; }

# The lab does without these, so nothing waits long for a network. ./test adds to them: each is
# "NAME|what is said where it cannot be had".
optional_downloads=(
  "nvdisasm-13.2|nvdisasm was not fetched: the lab shows PTX without machine code beside it"
  "curand-10.4|cuRAND's headers were not fetched: kernels with <curand_kernel.h> do not compile"
)
fetch_optional() {
  local python=$1 download
  has_pip || python=$cache/venv/bin/python
  for download in "${optional_downloads[@]}"; do
    try_to_fetch "$python" "${download%%|*}" "${download#*|}"
  done
}

# try_to_fetch PYTHON NAME MESSAGE: what is said where it cannot be had.
try_to_fetch() {
  python3 -B cmake/fetch.py --check "$cache" "$2" && return 0
  PIP_RETRIES=0 PIP_TIMEOUT=10 "$1" -B cmake/fetch.py "$cache" "$2" 2>/dev/null || say "$3"
}

fetch_pinned() {
  local wanted=(imgui-bundle-1.92.801)
  if is_ubuntu_22; then wanted+=(tomlplusplus-3.4.0); fi
  [ -n "${WARPSHOP_CUDA:-}" ] || wanted+=(cuda-13.0)  # last: a toolkit may stand in for it
  # fetch.py looks at the folders first; without a change it needs no pip.
  python3 -B cmake/fetch.py --check "$cache" "${wanted[@]}" && { fetch_optional python3; return 0; }
  local python=python3
  if ! has_pip; then
    python=$cache/venv/bin/python
    "$python" -m pip --version >/dev/null 2>&1 || python3 -m venv --clear "$cache/venv" ||
      fail "python3 could not make a virtual environment in $cache/venv"
  fi
  "$python" -B cmake/fetch.py "$cache" "${wanted[@]}" && { fetch_optional "$python"; return 0; }
  if [ -e /usr/local/cuda/include/cuda_fp16.h ] &&
    python3 -B cmake/fetch.py --check "$cache" "${wanted[@]:0:${#wanted[@]}-1}"; then
    say "going on with the toolkit in /usr/local/cuda; its register counts may differ from the labs'"
    return 0
  fi
  fail "what is pinned could not be fetched. With a network, run this again. Without one, copy" \
      "$cache from a machine where it worked (the same processor), or set PIP_FIND_LINKS to a" \
      "folder with the archives that cmake/fetch.py names."
}

# --- build ----------------------------------------------------------------------------------------

configure() {
  if [ -e build ] && [ ! -w build ]; then
    fail "build/ belongs to someone else. Make it yours:" "sudo chown -R $(id -un) build"
  fi
  # A moved clone, or a cache of a build with another compiler or generator: start afresh.
  local stamp
  stamp="$PWD $cache $(sha256sum CMakePresets.json cmake/fetch.py | sha256sum)"
  if [ -f build/build.ninja ] && [ "$(cat build/setup-stamp 2>/dev/null)" = "$stamp" ]; then
    return 0  # ninja itself runs CMake again when a CMake file has changed
  fi
  if [ -z "${CXX:-}" ] && [ "$(gcc_version)" -lt 12 ]; then
    export CC=gcc-12 CXX=g++-12
  fi
  say "configuring build/"
  mkdir -p build
  rm -rf build/CMakeCache.txt build/CMakeFiles
  if ! cmake --preset release >build/configure.log 2>&1; then
    tail -n 25 build/configure.log >&2
    fail "CMake could not configure build/ (above; all of it in build/configure.log)"
  fi
  echo "$stamp" >build/setup-stamp
}

# As many jobs as processors, but one for each 1.2 GiB of memory at most: the compiler needs that much.
jobs() {
  local processors with_memory
  processors=$(nproc)
  with_memory=$(awk '/^MemAvailable/ {print int($2 / 1048576 / 1.2)}' /proc/meminfo)
  [ "$with_memory" -ge 1 ] || with_memory=1
  echo $((processors < with_memory ? processors : with_memory))
}

build() {
  say "building"
  cmake --build build --parallel "$(jobs)" --target "$@" ||
    fail "the build failed (above). The same command alone:" "cmake --build build --target $*"
}

# A class can vote without it, but not open the lab.
build_web() {
  if ! (library_packages=emscripten && install_packages) || ! command -v emcc >/dev/null; then
    say "there is no Emscripten here: the class gets votes and the board, but not the lab"
    return 0
  fi
  say "building the browser edition (minutes, the first time)"
  [ -f build/web/build.ninja ] || cmake --preset web >build/web-configure.log 2>&1 || {
    tail -n 25 build/web-configure.log >&2
    fail "CMake could not configure build/web/ (above; all of it in build/web-configure.log)"
  }
  cmake --build build/web --parallel "$(jobs)" --target web ||
    fail "the browser edition could not be built (above). The same command alone:" \
      "cmake --build build/web --target web"
}
