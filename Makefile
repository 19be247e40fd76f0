# ipa-inject: 'make demo' and 'make test' do everything on a fresh machine with a Swift toolchain.

SWIFT ?= swift
SWIFT_FILES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources \
  Fuzz/Package.swift Fuzz/Sources
SECONDS := 60
TARGET := xml binary openstep json edit convert macho superblob requirements der cms profile coderesources
PREFIX ?= /usr/local
DESTDIR ?=
# The Swift runtime goes into the binary, which then starts faster and runs where no Swift is; macOS
# has it in the system. Clang puts --as-needed before the libraries, which no option of Swift's linker
# step does: those that CLazyLibraries opens later are then not loaded at the start.
RELEASE_BUILD := $(SWIFT) build -c release
ifneq ($(shell uname),Darwin)
RELEASE_BUILD := CCC_OVERRIDE_OPTIONS='\# ^-Wl,--as-needed s/-lstdc\+\+/-l:libstdc++.a/ +-static-libgcc' $(RELEASE_BUILD) --static-swift-stdlib
endif
BINARY := $(CURDIR)/.build/release/ipa-inject

.PHONY: help demo test release samples lint format test-units test-apps fuzz coverage bench-plist bench-archive bench-discover bench-verify bench-signing \
  install clean

help:
	@echo 'make demo      build, and prepare, inspect and verify the sample app'
	@echo 'make test      install what is missing, build, run every test'
	@echo 'make release   build the release binary'
	@echo 'make install   install it (PREFIX=$(PREFIX), DESTDIR=)'
	@echo 'make fuzz      fuzz the readers of files (SECONDS=$(SECONDS) each, TARGET=$(TARGET))'
	@echo 'make coverage  print how much of PlistKit the tests run through'
	@echo 'make lint      check the formatting; make format mends it'
	@echo 'make bench-plist   measure the property-list codecs beside others (ARGS=--help)'
	@echo 'make bench-archive measure large archives beside cp and others (10 GB, ARGS=--help)'
	@echo 'make bench-verify  measure verify on a large archive and hostile lists (ARGS=--help)'
	@echo 'make bench-signing measure the check of signatures beside openssl (ARGS=--help)'
	@echo 'make bench-discover measure discover beside ip and others (ARGS=--help)'

demo: release samples
	@scripts/demo $(BINARY)

test: lint test-units test-apps

release:
	@scripts/install-dependencies build
	$(RELEASE_BUILD) --product ipa-inject

samples:
	@scripts/install-dependencies build
	@Samples/make-samples

test-units:
	@scripts/install-dependencies test
	@Samples/make-samples
	$(SWIFT) test

# The release binary from outside, on the samples and on published apps where those lie beside the
# checkout.
test-apps: release
	@scripts/install-dependencies test
	Tests/scripts/check-apps.py $(BINARY)
	Tests/scripts/check-plists.py $(BINARY)
	Tests/scripts/check-archives.py $(BINARY)
	Tests/scripts/check-sizes.py $(BINARY)
	Tests/scripts/check-packing.py $(BINARY)
	Tests/scripts/with-reflink Tests/scripts/check-sharing.py $(BINARY) --count 100
	Tests/scripts/check-interruption.py $(BINARY)
	Tests/scripts/check-faults.py $(BINARY)
	Tests/scripts/check-bundles.py $(BINARY)
	Tests/scripts/check-changes.py $(BINARY)
	Tests/scripts/check-batch.py $(BINARY)
	Tests/scripts/check-decisions.py $(BINARY)
	Tests/scripts/check-judging.py $(BINARY)
	Tests/scripts/check-reports.py $(BINARY)
	Tests/scripts/check-configurations.py $(BINARY)
	Tests/scripts/check-listener.py $(BINARY)
	Tests/scripts/check-networks.py $(BINARY)
	Tests/scripts/check-tailscale.py $(BINARY)
	Tests/scripts/check-fleet.sh $(BINARY)
	Tests/scripts/check-sockets.py $(BINARY)
	Tests/scripts/check-mdns.py $(BINARY)
	Tests/scripts/check-libraries.sh $(BINARY)
	Tests/scripts/check-pages.py $(BINARY)
	Tests/scripts/check-signers.py $(BINARY)
	Tests/scripts/check-hand-off.py $(BINARY)
	Tests/scripts/check-adhoc.py $(BINARY)
	Tests/scripts/check-seals.py $(BINARY)

# Two fuzzers at a time; status 1 where one finds anything. TARGET may name several.
fuzz:
	@scripts/install-dependencies build
	@scripts/fuzz $(SECONDS) $(TARGET)

coverage:
	@scripts/install-dependencies test
	@scripts/coverage

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)

format:
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_FILES)

# ARGS may name one cell: '--size 1m --operation parse'. Whole programs are measured with the release
# binary, which a run of chosen operations takes as it is.
bench-plist: $(if $(findstring --operation,$(ARGS))$(findstring --help,$(ARGS)),,release)
	@scripts/install-dependencies bench
	$(SWIFT) build -c release --package-path Benchmarks --product plist-benchmark
	@Benchmarks/.build/release/plist-benchmark $(ARGS)

# ARGS may make it smaller: '--size 200 --runs 3 --only large,many'.
bench-archive: $(if $(findstring --help,$(ARGS)),,release)
	@scripts/install-dependencies bench
	$(SWIFT) build -c release --package-path Benchmarks --product libzip-rewrite
	@Benchmarks/archive-benchmark $(ARGS)

# Machines are namespaces, so it takes root or the right to make user namespaces.
bench-discover: $(if $(findstring --help,$(ARGS)),,release)
	@scripts/install-dependencies bench
	@Benchmarks/discover-benchmark $(ARGS)

# ARGS may make it smaller: '--size 100 --runs 3'.
bench-verify: $(if $(findstring --help,$(ARGS)),,release)
	@scripts/install-dependencies bench
	@Benchmarks/verify-benchmark $(ARGS)

# ARGS may make it smaller: '--size 100 --runs 3'.
bench-signing: $(if $(findstring --help,$(ARGS)),,release)
	@scripts/install-dependencies bench
	@Benchmarks/signing-benchmark $(ARGS)

# Completions and a man page join the binary here once they are generated.
install: release
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -s -m 755 $(BINARY) '$(DESTDIR)$(PREFIX)/bin/ipa-inject'

clean:
	rm -rf .build Benchmarks/.build Samples/apps
