#!/usr/bin/env bash
# Tests the Python package as it is installed: alone in a clean environment, without network, then with the
# libraries that read its tables, and in a notebook.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tests/python tools=target/python/tools clean=target/python/clean

"$here"/wheel.sh dev
python3 -m venv --clear "$clean"
"$clean"/bin/pip install --quiet --no-index target/wheels/*.whl
"$clean"/bin/python "$here"/alone.py static/example.prv.gz
"$tools"/bin/pip install --quiet --no-index --force-reinstall target/wheels/*.whl
"$tools"/bin/python -m pytest --quiet -rs -p no:cacheprovider "$here"
node --test "$here"/*.test.mjs
