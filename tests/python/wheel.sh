#!/usr/bin/env bash
# Builds the wheel into target/wheels: wheel.sh release MOST_BYTES, or wheel.sh dev to share what the tests compiled.
# The page of dist/ is in it, without the example traces: a notebook has its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
profile="$1"

if [ -f dist/tracefold.html ]; then
  grep -v '^<script type="application/octet-stream" id="inside-example' dist/tracefold.html >crate/python/tracefold/page.html
else
  echo "dist/tracefold.html is not there: the wheel is built without the page (make build)" >&2
fi
rm -rf target/wheels
# As the tests of the crate are compiled, so that the crate is compiled but once.
target/python/tools/bin/maturin build --locked --profile "$profile" \
  -m crate/python/Cargo.toml -o target/wheels --compatibility linux

bytes=$(stat --format %s target/wheels/*.whl)
echo "Wheel: $bytes bytes${2:+ of $2 allowed}"
[ "$bytes" -le "${2:-$bytes}" ] || { echo "the wheel is too large" >&2; exit 1; }
