#!/usr/bin/env bash
# Puts dist/ together: dist.sh BUNDLER WASM
set -euo pipefail
cd "$(dirname "$0")/.."
bundler=$1 wasm=$2

rm -rf dist
mkdir dist
cp -R www/. static/. dist/
# What is for readers of the sources only.
find dist \( -name '*.md' -o -name '*.d.ts' \) -delete
"$bundler" "$wasm" dist

# The same page, allowed to ask other servers for a trace.
here="connect-src 'self'" anywhere="connect-src http: https:"
sed "s/$here/$anywhere/" www/index.html >dist/remote.html
grep -q "$anywhere" dist/remote.html || {
  echo "www/index.html does not say \"$here\": remote.html would be shut in" >&2
  exit 1
}
