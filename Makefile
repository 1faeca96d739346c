# The few words people type.  Meson + ninja do the work; this file only knows their names.
#
#   make            build the release binary              make demo [URL=…]  see it work
#   make test       everything, under sanitizers          make check         format, layers, sizes, manuals
#   make bench      tables against the peers              make eval          quality on labelled data
#   make fuzz [T=name] [SECONDS=60]                       make install PREFIX=/usr/local
PREFIX ?= /usr/local
SECONDS ?= 60
BUILD = build/release
CHECKED = build/checked
MESON_RELEASE = --buildtype=debugoptimized -Doptimization=2 -Db_lto=true
MESON_CHECKED = -Db_sanitize=address,undefined -Doptimization=1

all: build
.PHONY: all build demo test test-cluster test-tsan test-suites test-w3c check check-fresh bench eval fuzz install clean \
	packages packages-test packages-bench

packages:
	@tools/install-packages packages/build.txt
packages-test:
	@tools/install-packages packages/build.txt packages/test.txt
packages-bench:
	@tools/install-packages packages/build.txt packages/test.txt packages/bench.txt

build: packages
	@[ -e $(BUILD)/build.ninja ] || meson setup $(BUILD) $(MESON_RELEASE) >/dev/null
	@ninja --quiet -C $(BUILD) thresh
	@echo "built $(BUILD)/thresh"

demo: build
	@tools/demo $(BUILD)/thresh $(URL)

test: packages-test
	@[ -e $(CHECKED)/build.ninja ] || meson setup $(CHECKED) $(MESON_CHECKED) >/dev/null
	@ninja --quiet -C $(CHECKED)
	@tools/run-tests $(CHECKED)

test-tsan: packages-test
	@[ -e build/tsan/build.ninja ] || meson setup build/tsan -Db_sanitize=thread -Doptimization=1 >/dev/null
	@ninja --quiet -C build/tsan
	@tools/run-tests build/tsan --suite unit --suite site

# What takes minutes of waiting for leases and sessions to end.
test-cluster: packages-test
	@[ -e $(CHECKED)/build.ninja ] || meson setup $(CHECKED) $(MESON_CHECKED) >/dev/null
	@ninja --quiet -C $(CHECKED)
	@THRESH_CLUSTER=1 tools/run-tests $(CHECKED) crawl_cluster kafka cluster_parts leases

# Public suites, where copies are given: SUITES=dir, W3C_TESTS=dir (doc/suites.md says what goes there).
test-suites: build
	@tests/suites/run $(BUILD) "$(SUITES)"
test-w3c: build
	@tests/w3c/run $(BUILD) "$(W3C_TESTS)"

check: packages-test
	@tools/check

check-fresh: packages-bench
	@tools/check-fresh

bench: packages-bench build
	@ninja --quiet -C $(BUILD)
	@tools/bench $(BUILD) $(B)

eval: build
	@ninja --quiet -C $(BUILD)
	@tools/eval $(BUILD)

fuzz: packages-bench
	@[ -e build/fuzz/build.ninja ] || CC=clang CXX=clang++ meson setup build/fuzz -Dfuzz=true \
		-Db_sanitize=address,undefined -Doptimization=1 >/dev/null
	@ninja --quiet -C build/fuzz
	@tools/fuzz build/fuzz $(SECONDS) $(T)

install: build
	@DESTDIR=$(DESTDIR) tools/install $(BUILD) $(PREFIX)

clean:
	rm -rf build
