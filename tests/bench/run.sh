#!/usr/bin/env bash
# Measures the named parts, native quality page brush steps glance python large, and records their sections in BENCHMARKS.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p target/bench

tokenizer() {
  rustc --edition 2024 --target wasm32-unknown-unknown -C opt-level=3 -C target-feature=+simd128 \
    -C panic=abort -C strip=symbols --crate-type cdylib -o target/bench/tokenizer.wasm tests/bench/tokenizer.rs
}

for part in "$@"; do
  case $part in
    native) cargo bench --locked -p tracefold --bench speed | node tests/bench/record.mjs ;;
    quality) cargo bench --locked -p tracefold --bench quality | node tests/bench/record.mjs ;;
    page)
      tokenizer
      node tests/bench/fold.mjs | node tests/bench/record.mjs
      node tests/bench/read.mjs | node tests/bench/record.mjs
      node tests/bench/perf_text.mjs | node tests/bench/record.mjs
      node tests/bench/archives.mjs | node tests/bench/record.mjs
      node tests/bench/profiles.mjs | node tests/bench/record.mjs
      ;;
    brush) node tests/bench/brush.mjs | node tests/bench/record.mjs ;;
    steps) node tests/bench/steps.mjs | node tests/bench/record.mjs ;;
    glance) node tests/bench/glance.mjs | node tests/bench/record.mjs ;;
    # Of the wheel as it is given away (`make wheel`).
    python)
      target/python/tools/bin/pip install --quiet --no-index --force-reinstall target/wheels/*.whl
      target/python/tools/bin/python tests/bench/python.py | node tests/bench/record.mjs
      ;;
    large)
      node tests/bench/large.mjs | node tests/bench/record.mjs
      node tests/bench/parts.mjs | node tests/bench/record.mjs
      ;;
    *) echo "run.sh: no part $part" >&2; exit 2 ;;
  esac
done
