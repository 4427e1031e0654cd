#!/usr/bin/env bash
# Installs what is missing of the named parts: rust wasm node packages chromium python cluster
# bench fuzz.
# What cannot be installed is named together with the command that would.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=0
has() { command -v "$1" >/dev/null 2>&1; }
name() { printf 'Missing: %s\n  install it with:  %s\n' "$1" "$2" >&2; missing=1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif has sudo; then sudo "$@"; else return 1; fi
}

# Installs Debian packages; says nothing where it cannot, the caller looks whether it worked.
apt_install() {
  has apt-get || return 0
  echo "Installing $*"
  { as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends "$@"; } >&2 || true
}

need_rust() {
  has cargo || name "Rust" "install rustup, the Rust toolchain installer"
  has cc || apt_install build-essential
  has cc || name "a C linker" "sudo apt-get install build-essential"
}

need_wasm() {
  has cargo || return 0
  local libraries
  libraries="$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib"
  [ -d "$libraries" ] || ! has rustup || rustup target add wasm32-unknown-unknown || true
  [ -d "$libraries" ] || name "Rust's wasm target" "rustup target add wasm32-unknown-unknown"
}

need_node() {
  has node && has npm || apt_install nodejs npm
  has node && has npm || name "Node with npm, 20.10 or newer" "sudo apt-get install nodejs npm"
  ! has node || node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 20 || (major === 20 && minor >= 10) ? 0 : 1)' ||
    name "Node 20.10 or newer (here is $(node --version))" "install a newer Node"
}

need_packages() {
  local installed=tests/page/node_modules/.package-lock.json
  has npm || return 0
  [ "$installed" -nt tests/page/package-lock.json ] ||
    (cd tests/page && npm ci --ignore-scripts --no-audit --no-fund) ||
    name "the packages of the page's tests" "cd tests/page && npm ci --ignore-scripts"
}

# A browser of one's own is named in CHROMIUM; tests/page/browser.mjs looks in the same places.
need_chromium() {
  [ -z "${CHROMIUM:-}" ] || return 0
  [ -x /usr/bin/chromium ] || apt_install chromium fonts-liberation
  [ -x /usr/bin/chromium ] ||
    name "Chromium" "sudo apt-get install chromium   (or set CHROMIUM to the path of one)"
}

# Libraries that read tables, what builds the package, and what runs notebooks: apart from the system's.
need_python() {
  local folder=target/python/tools list=tests/python/requirements.txt
  has python3 && python3 -c 'import ensurepip' 2>/dev/null || apt_install python3 python3-venv
  has python3 && python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    name "Python 3.11 or newer (the package needs 3.10, the libraries of its tests 3.11)" "sudo apt-get install python3 python3-venv"
  cmp -s "$list" "$folder/installed.txt" || {
    python3 -m venv "$folder" && "$folder/bin/pip" install --quiet -r "$list" && cp "$list" "$folder/installed.txt"
  } || name "the packages of the Python tests" "python3 -m venv $folder && $folder/bin/pip install -r $list"
}

# Engines that carry parts of folds; without them their tests are skipped.
need_cluster() {
  local pip=target/python/tools/bin/pip list=tests/python/requirements-cluster.txt
  need_python
  for program in mpirun:openmpi-bin parallel:parallel sbatch:slurm-wlm munged:munge; do
    has "${program%%:*}" || apt_install "${program##*:}"
    has "${program%%:*}" || name "${program%%:*}" "sudo apt-get install ${program##*:}"
  done
  "$pip" install --quiet -r "$list" || name "Dask and mpi4py" "$pip install -r $list"
}

need_bench() {
  has libdeflate-gunzip || apt_install libdeflate-tools
  has libdeflate-gunzip || name "libdeflate-gunzip" "sudo apt-get install libdeflate-tools"
  has otf2-config || apt_install libotf2-trace-dev
  has otf2-config || name "otf2-config" "sudo apt-get install libotf2-trace-dev"
}

need_fuzz() {
  local version=0.13.2 folder=target/cargo-fuzz
  has c++ || apt_install g++
  has c++ || name "a C++ compiler" "sudo apt-get install g++"
  [ "$("$folder/bin/cargo-fuzz" --version 2>/dev/null)" = "cargo-fuzz $version" ] ||
    cargo install --locked --version "=$version" --root "$folder" --target-dir "$folder/build" \
      cargo-fuzz ||
    name "cargo-fuzz $version" "cargo install --locked --version =$version --root $folder cargo-fuzz"
}

for part in "$@"; do "need_$part"; done
exit "$missing"
