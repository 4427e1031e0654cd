# Every command that a person or CI runs. Anything longer than two lines is a script in tests/.

.DEFAULT_GOAL := help
.NOTPARALLEL:

# Traces and golden results that are not part of the project; their tests are skipped without it.
export TRACEFOLD_SHARED ?= $(abspath ../shared)
# Where `make run` listens: 0 takes any free port.
export PORT ?= 0
# Size of the trace of `make bench-large`.
export LARGE_MB ?= 4000
# Most that a first visit loads, most with a trace opened, and most that waits for source files to be
# looked at (parsers, colours), in gzipped bytes.
FIRST_LOAD := 40000
WITH_TRACE := 950000
WITH_SOURCE := 520000
# Most that the Python package has, in bytes.
WHEEL := 6000000

# Without the folders of this computer in it, the wasm is smaller and the same everywhere.
REGISTRY = $(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src
WASM_FLAGS = -C target-feature=+simd128 --remap-path-prefix=$(CURDIR)/= \
  $(foreach folder,$(wildcard $(REGISTRY)/*),--remap-path-prefix=$(folder)/=)
# Functions of more than this weight are called where they would be copied: 10 kB less to load than
# with 100, and with 25 it is 1 kB more.
ENGINE_FLAGS = -C llvm-args=-inline-threshold=50
WASM_BUILD = --locked -p tracefold --lib --target wasm32-unknown-unknown --target-dir target/wasm \
  --no-default-features --features
# Where a library for other crates is made along with it, cargo leaves `lto` out: 3 % more to load.
WASM_ONLY := --crate-type cdylib
WASM := target/wasm/wasm32-unknown-unknown

.PHONY: help
help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

.PHONY: setup setup-build setup-check setup-cluster
setup: ## Install what is missing for the targets below; name what cannot be installed
	@tests/setup.sh rust wasm node packages chromium python

setup-cluster: ## Install the engines whose recipes are tested: MPI, Slurm, Dask, GNU parallel
	@tests/setup.sh cluster

setup-build:
	@tests/setup.sh rust wasm node packages

setup-check:
	@tests/setup.sh rust wasm node packages

.PHONY: run
run: build ## Build the page and serve it on this computer (PORT=8000 fixes the port)
	@node tests/serve.mjs dist

.PHONY: build glue wasm bundler crates
build: setup-build glue ## Build the page into dist/, which any static server can host
	@tests/dist.sh
	@node tests/first-load.mjs dist $(FIRST_LOAD) $(WITH_TRACE) $(WITH_SOURCE)

# Modules and types of what the page calls; the types are those of the values in Rust.
glue: wasm bundler
	@target/tools/tools/bundle $(WASM)/painter/tracefold.wasm www/wasm painter \
	  run=tracefold::paint::run::,tracefold::report::run::,tracefold::glance::,tracefold::web::run_values::,tracefold::web::scaling::ScalingPicture::added,tracefold::web::scaling::ScalingPicture::told,tracefold::web::scaling::ScalingPicture::painted,tracefold::web::scaling::ScalingPicture::exported \
	  whole=tracefold::compare::clusters::,tracefold::compare::parts::,tracefold::compare::regions::,tracefold::compare::whole::,tracefold::report::compared::whole::,pathfinding::,tracefold::web::compared::ComparedPicture::whole_added \
	  table=tracefold::report::table:: \
	  data=tracefold::paint::memory::lane::address,tracefold::paint::memory::lane::grounds,tracefold::paint::memory::raster::,tracefold::paint::memory::objects::,tracefold::paint::memory::cost::address_key \
	  both=tracefold::compare::sources::,tracefold::compare::objects::,tracefold::compare::referenced::,tracefold::report::compared::objects::,tracefold::web::compared_objects::,tracefold::compare::by_hand::,tracefold::web::compared_pairs::,tracefold::compare::text_diff::,imara_diff::,foldhash::seed::,tracefold::report::compared::source::,tracefold::web::compared_sources:: \
	  compare=tracefold::compare::,tracefold::fit::student_tail::,libm::math::lgamma::,tracefold::paint::compared::,tracefold::paint::series::,tracefold::report::compared::,tracefold::report::series::,tracefold::web::compared::,tracefold::web::compared_values::,tracefold::web::series:: \
	  export=tracefold::export::,tracefold::paint::picture::,tracefold::paint::scene::png::,tracefold::web::linked::,tracefold::web::figured::,tracefold::web::compared_files::,tracefold::report::recheck::,tracefold::result::names:: range=tracefold::web::between::,tracefold::report::range::range,tracefold::report::range::_:: counters=tracefold::web::counters::,tracefold::report::counters::,tracefold::web::certainty::,tracefold::report::certainty::,tracefold::quantity::family:: course=tracefold::paint::course::,tracefold::report::course::,tracefold::folding::course::,tracefold::quantity::of_instance::,tracefold::web::course_values:: 'source=tracefold::outline::source_file::,tracefold::result::source_doubt::,tracefold::web::source_file::SourceFile::,tracefold::web::source_file::<impl,tracefold::web::source_file::outline_kinds,tracefold::report::source_file::,tracefold::result::source_file::'
	@target/tools/tools/bundle $(WASM)/profiler/tracefold.wasm www/wasm profiler \
	  export=tracefold::export::,tracefold::tau::written::,tracefold::web::profile::saving::,serde_json:: \
	  files=tracefold::web::profile::reading::,tracefold::open::,tracefold::input::,tracefold::tau::,tracefold::text::,quick_xml::,bzip2::,libbz2_rs_sys::,flate2::,zlib_rs::,tar::,rawzip::
	@target/tools/tools/bundle $(WASM)/engine/tracefold.wasm www/wasm engine \
	  profile=tracefold::hybrid::,tracefold::profile::,tracefold::web::profiled::,tracefold::web::whole::,tracefold::pipeline::whole_run::regions_spent,tracefold::pipeline::whole_run::of_profile,tracefold::compare:: \
	  run=tracefold::run::,tracefold::pipeline::whole_run::whole_run,tracefold::glance::,tracefold::web::looked::,tracefold::web::used::,tracefold::semantic::,tracefold::open::timeline::,tracefold::pipeline::computing::,tracefold::pipeline::run_each,tracefold::source::callers::,tracefold::performance::while_computing:: export=tracefold::export::,tracefold::web::digest::,tracefold::input::digest::,sha2:: course=tracefold::pipeline::course::,tracefold::fit::trend::,tracefold::folding::course::,tracefold::instance::folded::totals,tracefold::web::coursed:: \
	  models=tracefold::pipeline::models::of_expression,tracefold::model::typed::,tracefold::model::quote::,tracefold::model::file::,tracefold::model::value::,tracefold::model::colour::,roxmltree:: \
	  'formats=tracefold::otf2::,tracefold::open::archive::,tracefold::open::archive_files::,tracefold::open::ranks::,tracefold::partial::,tracefold::open::accumulating::,tracefold::trace::packed::,tracefold::trace::reduced::,tracefold::source::colours::Innermost::add_counts,tracefold::pipeline::counted::all_known,tracefold::pipeline::counted::none_summed,tracefold::pipeline::regions::Regions::retain_of_part,tracefold::pipeline::regions::Regions::only_of_part,tracefold::pipeline::regions::Regions::check_of_part,tracefold::trace::labels::Labels::unpack,tracefold::trace::ranks::,tracefold::open::opening::Opening::read_tape,tracefold::open::part::<impl tracefold::open::opening::Opening>::archive_part,tracefold::open::part::<impl tracefold::open::opening::Opening>::perf_part,tracefold::input::member::read_each,tracefold::open::opening::Opening::read_perf_script,tracefold::open::by_line::,tracefold::open::recording::merge_all,tracefold::merge::,tracefold::perf_script::,tracefold::extract_file::,tracefold::fold_record::,tracefold::ebs_trace::,tracefold::text::fixed::,tracefold::open::ebs::,tracefold::input::tar_archive::list,tracefold::input::zip_archive::list,bzip2::,libbz2_rs_sys::'

# Each is bound by one thread for most of its time, and has a folder of its own.
MODULES := engine painter profiler
wasm: crates
	@set -e; made=; for module in $(MODULES); do $(MAKE) --no-print-directory wasm-$$module & made="$$made $$!"; done; \
	  for one in $$made; do wait $$one; done

wasm-engine: MORE_FLAGS = $(ENGINE_FLAGS)
wasm-%:
	RUSTFLAGS="$(strip $(WASM_FLAGS) $(MORE_FLAGS))" cargo rustc $(WASM_ONLY) --profile $* $(WASM_BUILD) $*

# Where they lie must be known before the flags are: they name the folder.
crates:
	@cargo fetch --locked --quiet

bundler: crates
	cargo build --locked --profile tools --target-dir target/tools -p bundle

# The same packages each time, so that the crate is compiled once: the Python package wants more of the
# libraries than the command line does.
NATIVE := --locked --workspace --exclude bundle

.PHONY: test test-native test-page test-python
test: setup test-native test-page test-python ## Run every test; how many corpus cases ran stands at the end
	cargo test $(NATIVE) --test corpus

# All but the corpus, which `test` runs last.
test-native:
	cargo test $(NATIVE)

# The browser tests fold the same traces with the command line, built as for the native tests, and
# compare bytes. Two files run at a time; how busy the page is while it reads is seen where nothing
# else runs.
ALONE := tests/page/busy.test.mjs
test-page: build
	cargo build $(NATIVE) --profile test --bin tracefold
	node --test --test-concurrency=2 tests/page/unit/*.test.mjs \
	  $(filter-out $(ALONE),$(wildcard tests/page/*.test.mjs))
	node --test $(ALONE)

# The package as it is installed, with the page that `test-page` built.
test-python:
	tests/python/run.sh

.PHONY: wheel
wheel: setup build ## Build the Python package, with the page in it, into target/wheels
	tests/python/wheel.sh release $(WHEEL)

.PHONY: check
check: setup-check glue ## Check format, lints (native and wasm), the architecture and the types of the page
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTFLAGS="$(WASM_FLAGS)" cargo clippy $(WASM_BUILD) painter -- -D warnings
	RUSTFLAGS="$(WASM_FLAGS)" cargo clippy $(WASM_BUILD) engine -- -D warnings
	RUSTFLAGS="$(WASM_FLAGS)" cargo clippy $(WASM_BUILD) profiler -- -D warnings
	cargo test --locked -p tracefold --test all tidy::
	tests/page/node_modules/.bin/tsc -p tests/page

.PHONY: same
same: ## Compare the answers of two builds of the command line (BEFORE=PATH AFTER=PATH, ONLY=WORD)
	@node tests/same-answers.mjs "$(BEFORE)" "$(AFTER)" "$(ONLY)"

.PHONY: bench bench-large
bench: setup wheel ## Measure speed beside its baselines; writes BENCHMARKS.md
	@tests/setup.sh bench
	@tests/bench/run.sh native quality page brush steps glance python

bench-large: setup build ## Measure a trace of 4 GB, which is made in target/ (LARGE_MB=4000)
	@tests/bench/run.sh large

# Not part of `make test`, which replays the seeds only.
FUZZ_TARGETS := $(basename $(notdir $(wildcard tests/fuzz/targets/*.rs)))

.PHONY: fuzz
fuzz: ## Search for bytes that break a reader (SECONDS=60 or RUNS=1000000 of each, TARGETS=...)
	@tests/setup.sh rust fuzz
	@tests/fuzz/run.sh $(or $(SECONDS),60) "$(RUNS)" $(or $(TARGETS),$(FUZZ_TARGETS))

.PHONY: example
example: ## Generate the bundled example traces again
	cargo run --locked --release -p tracefold-generate -- example --seed 1 --out static \
	  --name example --gzip --truth tests/truth/example.json
	cargo run --locked --release -p tracefold-generate -- spmd --seed 1 --out static \
	  --name example-mpi --gzip --truth target/example-mpi.json
	cargo run --locked --release -p tracefold-generate -- many --seed 1 --out static \
	  --name example-many --gzip --truth target/example-many.json

.PHONY: clean
clean: ## Remove everything that was built or installed here
	cargo clean
	rm -rf dist tests/page/node_modules tests/page/shots crate/python/tracefold/page.html
