# make record   install what is missing, build for release, and record 10 s into record.mp4
# make test     install what is missing, then check everything that CI checks
# make release  build graphctl for release
# make install  install that below PREFIX=/usr/local, with man pages and completions; DESTDIR=… before it
# make deb      make a Debian package of it
# make examples build and test the programs in Examples
# make sanitize run the tests under the thread and the address sanitizer
# make fuzz     fuzz all that reads foreign bytes, each reader for MINUTES=10
# make kill-test kill 20 recordings at random moments, and check what is left of each
# make batch-here, batch-slurm, batch-ray  try batches at scale, on this machine or a cluster made on it
# make soak     record live for MINUTES=120 with changes, and check that nothing grows
# make bench    run the benchmarks
# make docs     build the documentation of the public API
# make golden   write the expected outputs of the tests and the generated documents anew

SWIFT_BUILD = swift build --build-system native
# The packages beside this one share its folder, so that GraphKit isn't built again for them. A
# manifest that is kept would be that of the other package.
BESIDE = --scratch-path .build --disable-build-manifest-caching
SWIFT_TEST = Scripts/run-tests
GRAPHCTL = .build/release/graphctl

.PHONY: release install deb record test examples setup lint sanitize fuzz kill-test soak bench docs \
  golden batch-here batch-slurm batch-ray

record: setup
	$(SWIFT_BUILD) -c release --product graphctl
	$(GRAPHCTL) run graphs/record.json --overwrite
	@echo "The movie is $(CURDIR)/record.mp4"

release: setup
	$(SWIFT_BUILD) -c release --product graphctl

# It builds nothing, so that nothing is built as root.
install:
	@Scripts/install-files --prefix $(or $(PREFIX),/usr/local) --destdir "$(DESTDIR)"

deb:
	@Scripts/make-deb

test: setup lint
	$(SWIFT_BUILD) --build-tests
	$(SWIFT_TEST) --skip-build
	$(SWIFT_BUILD) -c release --product graphctl
	$(SWIFT_BUILD) $(BESIDE) --package-path Tests/Fixtures/InvertPlugin
	# It is linked in another way than what the tests ran with.
	GRAPHCTL=$(CURDIR)/$(GRAPHCTL) GRAPHKIT_TEST_PLUGINS=$(CURDIR)/.build/debug \
	  $(SWIFT_TEST) --skip-build --filter PluginTests
	Scripts/kill-test --graphctl $(GRAPHCTL) --runs 3
	$(MAKE) examples

examples: setup
	# One after the other: a camera is live, and beside it 200 clients would load the machine.
	swift test --build-system native $(BESIDE) --no-parallel --package-path Examples

setup:
	@Scripts/install-packages

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples

sanitize: setup
	# One test after the other: the sanitizers take many times the time, and tasks that wait behind
	# hundreds of tests would look like graphs that stand still.
	# GLib's own allocator hands memory from thread to thread where the sanitizer can't see it.
	# The thread sanitizer's own memory is a file's, which one test limits.
	GRAPHKIT_SANITIZE=thread G_SLICE=always-malloc \
		$(SWIFT_TEST) --no-parallel --sanitize thread --scratch-path .build-tsan \
		--skip aFileThatMayNotGrowIsFinishedInOrder
	# GLib keeps what it allocates once; what of GStreamer's is left is what Benchmarks/leaks counts.
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT_TEST) --no-parallel --sanitize address --scratch-path .build-asan
	$(SWIFT_BUILD) --product LeakCheck
	Benchmarks/leaks

fuzz: setup
	Scripts/fuzz --minutes $(or $(MINUTES),10)

kill-test: setup
	$(SWIFT_BUILD) -c release --product graphctl
	Scripts/kill-test --graphctl $(GRAPHCTL)

# Slurm's packages and Ray are installed by hand: docs/batch.md has how. FILES=10000 is as many as it
# was made for; root may mount the file systems that are filled.
batch-here batch-slurm batch-ray: setup
	$(SWIFT_BUILD) -c release --product graphctl
	Scripts/batch-trials --on $(subst batch-,,$@) --graphctl $(GRAPHCTL) --files $(or $(FILES),1000)

soak: setup
	$(SWIFT_BUILD) -c release --product graphctl
	Scripts/soak --graphctl $(GRAPHCTL) --minutes $(or $(MINUTES),120)

bench: setup
	Benchmarks/run

docs: setup
	GRAPHKIT_DOCS=1 swift package --build-system native --scratch-path .build-docs \
	  --allow-writing-to-directory .build/docs generate-documentation \
	  --enable-experimental-combined-documentation --warnings-as-errors \
	  --target JSON --target Media --target Containers --target GraphKit --target Nodes --target AssetIO \
	  --target GraphTesting --output-path .build/docs

golden:
	GRAPHKIT_UPDATE_GOLDEN=1 $(SWIFT_TEST) \
	  --filter "ListingTests|CheckTests|BrokenGraphTests|NodeListTests|NewTests|ExplainTests"
