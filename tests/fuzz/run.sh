#!/usr/bin/env bash
# Searches for bytes that break what tests/fuzz/checks says: run.sh SECONDS RUNS TARGET...
# Each target runs for SECONDS, or RUNS times where RUNS is given. What is found lies in
# tests/fuzz/artifacts/TARGET; the inputs that reached new code, for the next time, in target/fuzz.
#
# The pinned stable compiler does: of the sanitizers only the coverage is used, no other would find
# anything in a crate without unsafe code.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=$1 runs=$2
shift 2

fuzz() {
  target/cargo-fuzz/bin/cargo-fuzz "$1" --fuzz-dir tests/fuzz --target-dir target/fuzz \
    --sanitizer none "${@:2}"
}

failed=0
for target in "$@"; do
  found=target/fuzz/inputs/$target log=target/fuzz/$target.log seeds=tests/fuzz/seeds/$target
  mkdir -p "$found"
  limits=(-max_total_time="$seconds")
  [ -z "$runs" ] || limits=(-runs="$runs")
  [ "$target" != prv ] && [ "$target" != fold ] || limits+=(-dict=tests/fuzz/prv.dict)
  fuzz build "$target"
  if fuzz run "$target" "$found" "$seeds" -- "${limits[@]}" -max_len=4096 -timeout=10 \
    -rss_limit_mb=2048 -print_final_stats=1 >"$log" 2>&1; then
    echo "$target: $(awk '/number_of_executed_units/ { print $2 }' "$log") inputs, nothing found"
  else
    failed=1
    echo "$target: found something, see $log" >&2
    grep -A 3 -m 1 -E 'panicked|ERROR: libFuzzer' "$log" >&2 || tail -n 20 "$log" >&2
  fi
done
exit "$failed"
