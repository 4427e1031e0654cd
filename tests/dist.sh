#!/usr/bin/env bash
# Puts dist/ together: dist.sh BUNDLER WASM
set -euo pipefail
cd "$(dirname "$0")/.."
bundler=$1 wasm=$2

esbuild=tests/page/node_modules/.bin/esbuild

rm -rf dist
mkdir dist
cp www/index.html dist/
cp -R static/. dist/
# The page and its worker, with the glue of the wasm that both use in a file of its own: 44 modules
# of 63 kB gzipped become three of 24 kB.
joined=$(mktemp -d)
trap 'rm -rf "$joined"' EXIT
cp -R www/. "$joined/"
"$bundler" "$wasm" "$joined"
"$esbuild" "$joined/main.js" "$joined/engine/worker.js" "$joined/style.css" \
  --bundle --splitting --format=esm --minify --outdir=dist --log-level=warning
cp "$joined/tracefold_bg.wasm" dist/

# The same page, allowed to ask other servers for a trace.
here="connect-src 'self'" anywhere="connect-src http: https:"
sed "s/$here/$anywhere/" www/index.html >dist/remote.html
grep -q "$anywhere" dist/remote.html || {
  echo "www/index.html does not say \"$here\": remote.html would be shut in" >&2
  exit 1
}
