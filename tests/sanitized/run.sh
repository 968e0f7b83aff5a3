#!/usr/bin/env bash
# run.sh BUILD TARGET PROGRAM: builds TARGET, a program of tests that a sanitizer is compiled into, and runs it. Exit
# status 77 where its run-time cannot start: the thread sanitizers of GCC 12 and 13 want addresses that are less random
# than newer kernels make them (vm.mmap_rnd_bits above 28), and some containers do not let setarch ask for that.
cmake --build "$1" --target "$2" || exit 1
program=$3
for start in "setarch $(uname -m) --addr-no-randomize" ""; do
  said=$($start "$program" --gtest_list_tests 2>&1) && exec $start "$program"
done
case $said in
  *"FATAL: ThreadSanitizer"*) ;;
  *) exec "$program" ;;  # its own mistake, told in full
esac
echo "skipped: the sanitizer cannot start here: $said"
exit 77
