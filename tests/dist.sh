#!/usr/bin/env bash
# Puts dist/ together, of the page and the glue of its wasm in www/wasm.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=$PWD/tests/page/node_modules
esbuild=$packages/.bin/esbuild

rm -rf dist
mkdir dist
cp www/index.html dist/
cp -R static/. dist/
# The page becomes two files: what is seen at first, and what works on a trace with the glue of the
# painter. The worker with the glue of its engine is one, as it starts others of itself.
joined=$(mktemp -d)
trap 'rm -rf "$joined"' EXIT
cp -R www/. "$joined/"
files=$(node -p 'JSON.stringify(Object.fromEntries(fs.readdirSync("static").map((name) => [name, fs.statSync(`static/${name}`).size])))')
# What the pane of source code is made of comes from packages; the parser of C can run code that other
# modules than ours bring along, of which esbuild warns.
join() {
  NODE_PATH=$packages "$esbuild" "$@" --bundle --format=esm --minify --log-level=warning \
    --log-override:direct-eval=silent --define:STATIC_FILES="$files"
}
join "$joined/main.ts" "$joined/style.css" --splitting --outdir=dist --chunk-names='[name]-[hash]'
join "$joined/engine/worker.ts" --outfile=dist/engine/worker.js
join "$joined/profile/worker.ts" --outfile=dist/profile/worker.js
# What the compiler leaves to be gained across functions, again and again until nothing is: 21 kB less
# to load. The lowest kilobyte is the last of the stack: no address is reckoned from there.
optimise() {
  local module
  for module; do
    "$packages"/.bin/wasm-opt -O2 --shrink-level=1 --converge --low-memory-unused ${more:-} "$joined/wasm/$module.wasm" -o "dist/$module.wasm"
  done
}
optimise painter_{bg,run,export,source,counters,course,range,data,both,whole,table} engine_{run,export,formats,course,models,profile} &
optimise engine_bg
# What is called once stays a function. Readers had become one of 77 kB, which a browser runs as it compiled it at first
# until it returns: of ten openings of 30 MB each, in turns, six took 1.7 s or less, three before; 1.5 kB less to load, and .6 of what compares.
more=--one-caller-inline-max-function-size=20 optimise profiler_{bg,export,files} painter_compare
wait $!
cp dist/*.wasm "$joined/wasm/"
mkdir dist/source
cp "$packages"/web-tree-sitter/web-tree-sitter.wasm "$packages"/tree-sitter-c{,pp}/tree-sitter-*.wasm dist/source/
chmod 644 dist/source/*

# The same page, allowed to ask other servers for a trace.
here="connect-src 'self'" anywhere="connect-src http: https:"
sed "s/$here/$anywhere/" www/index.html >dist/remote.html
grep -q "$anywhere" dist/remote.html || {
  echo "www/index.html does not say \"$here\": remote.html would be shut in" >&2
  exit 1
}

# The same page as one file, which also opens from disk.
node tests/one-file.mjs "$joined" dist
