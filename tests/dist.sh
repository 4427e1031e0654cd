#!/usr/bin/env bash
# Puts dist/ together: dist.sh BUNDLER PAINTER.wasm ENGINE.wasm
set -euo pipefail
cd "$(dirname "$0")/.."
bundler=$1 painter=$2 engine=$3

esbuild=tests/page/node_modules/.bin/esbuild

rm -rf dist
mkdir dist
cp www/index.html dist/
cp -R static/. dist/
# The page with the glue of its painter, the worker with that of its engine: 46 modules of 64 kB
# gzipped become two.
joined=$(mktemp -d)
trap 'rm -rf "$joined"' EXIT
cp -R www/. "$joined/"
files=$(node -p 'JSON.stringify(fs.readdirSync("static"))')
"$bundler" "$painter" "$joined/wasm" painter
"$bundler" "$engine" "$joined/wasm" engine
"$esbuild" "$joined/main.js" "$joined/engine/worker.js" "$joined/style.css" \
  --bundle --format=esm --minify --outdir=dist --log-level=warning --define:STATIC_FILES="$files"
cp "$joined"/wasm/*.wasm dist/

# The same page, allowed to ask other servers for a trace.
here="connect-src 'self'" anywhere="connect-src http: https:"
sed "s/$here/$anywhere/" www/index.html >dist/remote.html
grep -q "$anywhere" dist/remote.html || {
  echo "www/index.html does not say \"$here\": remote.html would be shut in" >&2
  exit 1
}

# The same page as one file, which also opens from disk.
node tests/one-file.mjs "$joined" dist
