#!/bin/bash
# Runs every target for SECONDS on JOBS processes, then prints how many inputs each has run and what it has found.
#   tests/fuzz/run_long.sh SECONDS JOBS [WARPSHOP_FUZZ [CORPUS]]
# The program, ptx.dict, cuda.dict and the corpus (a folder, or corpus.tar.gz) are looked for beside this file: a copy of them
# runs on another machine.
# An input may take $TIMEOUT seconds by the wall clock (120): more where others have the machine first.
# Crashes, and what the corpus has gained, go to $OUT (or a folder of its own) as crashes.tar and corpus.tar.
set -u
seconds=${1:-60}
jobs=${2:-4}
here=$(cd "$(dirname "$0")" && pwd)
program=${3:-$here/warpshop_fuzz}
corpus=${4:-$here/corpus}
[ -x "$program" ] || { echo "$program: no such program; build it with the preset fuzz" >&2; exit 2; }
out=${OUT:-$(mktemp -d)}
# Thousands of small files: in memory, where the machine has such a place.
work=$([ -d /dev/shm ] && mktemp -d -p /dev/shm || mktemp -d)

# Another machine's C library may be older: then the one that lies beside the program is taken.
start=()
if [ -e "$here/lib/ld-linux-x86-64.so.2" ] && ! "$program" --target=parser -runs=0 >/dev/null 2>&1; then
  start=("$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib")
fi
# Freed memory waits in 1 MiB, which stays in the cache. Leaks are looked for when a process ends.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:allocator_may_return_null=1:handle_abort=1:malloc_context_size=1:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:allocator_release_to_os_interval_ms=-1:max_malloc_fill_size=64}

targets=(program heap cut async text parser program lab program parser text cut)
end=$(($(date +%s) + seconds))
mkdir -p "$work/crashes" "$out"
[ -d "$corpus" ] || { mkdir -p "$work/given"; tar -C "$work/given" -xzf "$here/corpus.tar.gz" && corpus=$work/given; }
known=()
for target in text program parser lab cut heap async; do
  [ -d "$corpus/$target" ] || continue
  known+=("$target")
  mkdir -p "$work/corpus/$target"
  cp -r "$corpus/$target/." "$work/corpus/$target/"
done
wanted=()
for target in "${targets[@]}"; do [ -d "$work/corpus/$target" ] && wanted+=("$target"); done
targets=("${wanted[@]}")

fuzz_until_end() {  # TARGET NUMBER
  local target=$1 number=$2 round=0 left size=512
  # Short inputs come to as much code as long ones, in a third of the time. One process in four has long ones.
  case $target in program | heap | async) size=64 ;; esac
  [ $((number % 8)) -ge 6 ] && size=2048
  case $target in program | heap | async) [ "$size" = 2048 ] && size=512 ;; esac
  local words=()
  case $target in
    program | heap | async) ;;
    cut) words=(-dict="$here/cuda.dict") ;;
    *) words=(-dict="$here/ptx.dict") ;;
  esac
  while left=$((end - $(date +%s))); [ "$left" -gt 2 ]; do
    round=$((round + 1))
    "${start[@]}" "$program" "--target=$target" "${words[@]}" -seed=$((number * 1000 + round)) -max_len=$size -max_total_time="$left" \
      -entropic=0 -use_counters=0 -detect_leaks=0 -timeout="${TIMEOUT:-120}" -report_slow_units="${TIMEOUT:-120}" -rss_limit_mb=4096 -print_final_stats=1 -reload=20 -artifact_prefix="$work/crashes/$target-$number-" \
      "$work/corpus/$target" >"$work/log-$target-$number-$round" 2>&1
  done
}

for ((n = 0; n < jobs; ++n)); do
  fuzz_until_end "${targets[$((n % ${#targets[@]}))]}" "$n" &
done
wait

for target in "${known[@]}"; do
  runs=$(cat "$work"/log-$target-* 2>/dev/null | awk '/stat::number_of_executed_units/ { sum += $2 } END { printf "%d", sum }')
  echo "$target: $runs runs, $(ls "$work/corpus/$target" | wc -l) inputs in the corpus"
done
found=$(ls "$work/crashes" | wc -l)
echo "found: $found"
total=$(cat "$work"/log-* 2>/dev/null | awk '/stat::number_of_executed_units/ { sum += $2 } END { printf "%d", sum }')
[ "$total" -gt 0 ] || { echo "nothing was run:" >&2; head -3 "$work"/log-* | head -20 >&2; exit 1; }
for log in "$work"/log-*; do
  grep -l -E "ERROR: |runtime error|libFuzzer: (timeout|out-of-memory|deadly)|differs when nobody" "$log" >/dev/null 2>&1 || continue
  echo "== $(basename "$log")"
  grep -m 12 -E "ERROR: |runtime error|libFuzzer: |differs when|^ *#[0-9]+ 0x" "$log"
done | head -200
tail -n 30 "$work"/log-* >"$out/tails.txt" 2>/dev/null
tar -C "$work" -cf "$out/crashes.tar" crashes
tar -C "$work" -cf "$out/corpus.tar" corpus
rm -rf "$work"
