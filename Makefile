# Everything that is done with the project, a target each. Go and make are enough
# for all but `check`, which fetches what it needs, and `portability`, `readers`,
# `page`, `browser`, `screenshots`, `exports`, `nodes`, `outside`, `netem`, `slurm`, `bars`, `peers` and
# `spin`, which want programs of Debian and say, loudly, what there is not.

GO          ?= go
STATICCHECK  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
SPECS        = lcr changroberts bully elections random-rings lcr-distribution floodmax ghs raft raft-crash mutex mutex-load raymond maekawa published loss bursts loss-n crashes modifiedring late detectors reliable failover bully-ring
FIGURES      = out/figures
FUZZTIME    ?= 30s
PACKAGES     = ./...
CONCURRENT   = Workers|Cancelled|Stopped|Shards|Damaged|Sample|Stops|Critical|Worst|Progress|Interrupt|Sweep$$

MUTATED     ?= ./experiments/journal ./faults ./netem ./netem/impair ./netem/explore ./netem/graph ./protocols ./protocols/election ./protocols/mutex ./protocols/snapshot ./protocols/multicast
SAMPLE      ?= 40
SEED        ?= 1

.PHONY: help build test test-all race check figures bench bars slopes peers spin fuzz mutants plans promises explore defects golden docs portability page browser screenshots readers exports nodes outside live live-figures netem slurm ci clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# Without the tables for debuggers, which are a quarter of it; traces of panics are whole.
# Without cgo it needs no libc: 1.3 MB of memory less.
build: ## build ./bullring
	CGO_ENABLED=0 $(GO) build -buildvcs=auto -ldflags='-s -w' -o bullring ./cmd/bullring

# A limit that no machine reaches on which tests pass.
TIMEOUT     ?= 60m
# One line for each package as it ends, and where it is if it takes long.
LINES        = $(GO) run ./internal/testlines

# The root comes last: its tests have the go command compile all packages, and would have
# it do so beside the other tests.
# Without tables for debuggers compiling takes an eighth less; check vets, so tests do not. All
# targets of ci share what is compiled. With -trimpath the modules of docs/example would have this
# one compiled once more.
check test test-all ci: export GOFLAGS += -gcflags=all=-dwarf=false -vet=off

test: ## run all tests, those that take long in a small form (two minutes or three); check vets
	@$(GO) test -short -json -timeout $(TIMEOUT) $$($(GO) list $(PACKAGES) | sort -r) | $(LINES)
	cd docs/example && $(GO) test ./...

test-all: test ## then run those that have a longer form in full (some minutes)
	@$(GO) test -json -timeout $(TIMEOUT) $$(.ci/longer) | $(LINES)

race: ## run the concurrent parts under the race detector (wants a C compiler)
	$(GO) test -race -short -timeout $(TIMEOUT) ./des/... ./netem/... ./experiments/journal
	$(GO) test -race -short -timeout $(TIMEOUT) ./experiments/sweep ./experiments/search ./experiments/verify ./experiments/cli -run '$(CONCURRENT)' -skip KilledAndDamaged # which starts the program until a kill strikes in time

check: ## gofmt, go vet (what is for Windows, too), go mod tidy, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GO) vet $(PACKAGES)
	GOOS=windows $(GO) vet ./experiments/journal
	$(GO) mod tidy -diff
	$(GO) run $(STATICCHECK) $(PACKAGES)

figures: build ## run the sweeps of the project and draw their figures, into out/figures
	@for s in $(SPECS); do ./bullring sweep experiments/specs/$$s.yaml -o $(FIGURES)/$$s --again || exit 1; done
	@./bullring report $(FIGURES) -o $(FIGURES)/index.html
	@echo "Figures, tables, seeds and manifests are in $(FIGURES); to look at them, open $(FIGURES)/index.html"

bench: ## run the benchmarks; benchstat compares the files
	mkdir -p out
	$(GO) test -run '^$$' -bench . ./des ./netem/... ./experiments ./experiments/sweep ./experiments/catalog/... ./plots | tee out/bench.txt

BARS        ?=

bars: ## measure against the bars of docs/performance.md, and fail if one is missed by more than the noise (some five minutes; BARS='W2|trial' for some)
	@.ci/bars '$(BARS)'

slopes: ## measure how the time of a run grows with n, and draw docs/figures/slopes.png (a minute)
	$(GO) test -run 'TestSlopes$$' -v -timeout 30m ./experiments/catalog -slopes

peers: ## compare the event set with those of ns-3 and SimPy, on the same workloads (some minutes; wants Debian's g++, libns3-dev, python3-simpy3)
	$(GO) test ./des -run TestPeers -v -timeout 60m -bars

spin: ## compare the explorer with SPIN: states, transitions, time and memory (a minute or two; wants Debian's spin and gcc)
	$(GO) test ./experiments/catalog/elections -run TestBesideSPIN -v -timeout 60m -bars

fuzz: ## fuzz every parser for FUZZTIME each
	$(GO) test -run '^$$' -fuzz FuzzParseDistribution -fuzztime $(FUZZTIME) ./des
	$(GO) test -run '^$$' -fuzz FuzzParseProbability -fuzztime $(FUZZTIME) ./des
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME) ./netem/impair
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME) ./faults
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME) ./protocols/links
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME) ./protocols/detector
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME) ./protocols/reliable
	$(GO) test -run '^$$' -fuzz FuzzDecode -fuzztime $(FUZZTIME) ./protocols/box
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME) ./experiments/spec
	$(GO) test -run '^$$' -fuzz FuzzNode -fuzztime $(FUZZTIME) ./experiments/foreign
	$(GO) test -run '^$$' -fuzz FuzzNews -fuzztime $(FUZZTIME) ./netem/live/remote
	$(GO) test -run '^$$' -fuzz FuzzSetting -fuzztime $(FUZZTIME) ./experiments
	$(GO) test -run '^$$' -fuzz FuzzGraphFile -fuzztime $(FUZZTIME) ./experiments
	$(GO) test -run '^$$' -fuzz FuzzJournal -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./experiments/verify
	$(GO) test -run '^$$' -fuzz FuzzManifest -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./experiments/verify
	$(GO) test -run '^$$' -fuzz FuzzCase -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./experiments/verify
	$(GO) test -run '^$$' -fuzz FuzzReceipt -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./experiments/figures
	$(GO) test -run '^$$' -fuzz FuzzMarkup -fuzztime $(FUZZTIME) ./plots
	$(GO) test -run '^$$' -fuzz FuzzReadMeta -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./plots
	$(GO) test -run '^$$' -fuzz FuzzRun -fuzztime $(FUZZTIME) ./experiments/cli
	$(GO) test -run '^$$' -fuzz FuzzServe -fuzztime $(FUZZTIME) ./experiments/maelstrom

mutants: ## change SAMPLE places of each of MUTATED, one at a time, and print what no test notices (some seconds each; SAMPLE=0 is all)
	nice $(GO) run ./internal/mutants -sample $(SAMPLE) -seed $(SEED) $(MUTATED)

plans: ## run a million random fault plans inside the models (minutes)
	$(GO) test -run TestRandomPlans -v -timeout 60m ./experiments/catalog/... -plans 170000 | grep -v '^=== '

promises: ## run a hundred thousand random settings inside the models, and hold each to what is promised (minutes)
	$(GO) test -run 'TestPromises$$' -v -timeout 60m ./experiments/cli -promises 2800 | grep -v '^=== '

explore: ## explore what takes longer than a test may, with its states pinned (a minute or two, 1 GB)
	$(GO) test -timeout 30m ./experiments/catalog/... -run Proven -v -deep

defects: ## show that every seeded defect is caught, as docs/defects.md says (some ten minutes; make test-all shows it for one of each algorithm)
	$(GO) test -timeout 30m ./experiments/catalog/... -run TestDefects -v -defects

golden: ## rewrite the golden files; read the diff
	$(GO) test ./netem ./experiments/spec $$(grep -rl protocols/internal/golden --include=*_test.go protocols | xargs -n 1 dirname | sort -u | sed 's|^|./|') -update
	$(GO) test ./plots -regen
	@git --no-pager diff --stat

docs: ## write what pages take from the program: explanations, lists of algorithms, console blocks; read the diff
	$(GO) test ./experiments/catalog -run TestDocs -update-docs
	$(GO) test ./cmd/bullring -update
	cd docs/example && $(GO) test . -run PagesAreFollowed -update
	@git --no-pager diff --stat

PROCESSORS ?= # all

portability: ## the same fingerprints and tables on other processors (some minutes; PROCESSORS="arm64 s390x" for some)
	.ci/portability $(PROCESSORS)

page: ## check the page of a run: types, and its model on small runs (wants node and npm)
	.ci/page/check

browser screenshots nodes live: SHELL = /bin/bash -o pipefail
browser: build ## open pages of runs and of folders in a browser: click, press keys, look (half a minute; wants Debian's chromium)
	@cd .ci/browser && $(GO) test -count=1 -v . | grep -v '^=== '

screenshots: build ## take the screenshots of the documentation, into docs/figures (wants Debian's chromium); look at them
	@cd .ci/browser && $(GO) test -count=1 -v . -run TestShots -shots $(CURDIR)/docs/figures | grep -v '^=== '

readers: ## open the tables with pandas, R and DuckDB, as a folder's README.md shows
	.ci/readers

exports: ## read exported runs with the parsers of Mermaid, Perfetto, ShiViz, Quint and Graphviz (wants node, npm and graphviz)
	.ci/exports

nodes: ## run the examples of docs/nodes, and hold their fingerprints to the catalogue's (wants python3 and node)
	$(GO) test ./cmd/bullring -run 'TestNodes$$|TestConsoleBlocks/docs/nodes' -count=1 -v -nodes | grep -v '^=== '

outside: SHELL = /bin/bash -o pipefail
outside: build ## have links and plans read by tc, a shell, and the server of Toxiproxy (some seconds; wants Debian's iproute2)
	@$(GO) test ./netem/impair ./experiments/outside -count 1 -v -run 'TestTC|TestToxics|TestScript' | grep -E '^ *(---|ok|FAIL|panic|\S+_test.go|#)' # a test that is skipped says SKIPPED
	@cd .ci/toxiproxy && $(GO) test -count 1 -v . | grep -v '^=== '

live: build ## runs over real sockets: races, counts held to theory, failures harvested and replayed, garbage, leaks, hosts in network namespaces (a minute or two; wants a C compiler; no time is measured)
	$(GO) test -race -short -timeout $(TIMEOUT) ./netem/live/...
	$(GO) test -timeout $(TIMEOUT) ./experiments/lab -run 'TestAgreement$$|TestHarvest$$' -count=1 -v | grep -v '^=== '
	$(GO) test -run '^$$' -fuzz FuzzReadFrame -fuzztime 10s ./netem/live
	$(GO) test -timeout $(TIMEOUT) ./netem/live -run 'TestSoak$$' -count=1 -v -soak 5s | grep -v '^=== '
	.ci/hosts

live-figures: ## measure the figures of docs/live.md over sockets, and draw them (ten minutes of a quiet machine); look at them
	$(GO) test ./experiments/lab -run 'TestFigures$$' -count=1 -v -timeout $(TIMEOUT) -measure 300

netem: SHELL = /bin/bash -o pipefail
netem: ## compare mode compat of links with the netem of this kernel, over a veth (some minutes; wants root or user namespaces, and says if the kernel has none)
	@$(GO) test ./netem/impair -run 'TestKernel$$' -count 1 -v -timeout 30m -kernel | grep -v '^=== '

slurm: ## run a sweep on a real Slurm on this machine, with a task killed (wants Debian's packages and slurm-local)
	.ci/slurm

ci: PROCESSORS = s390x
ci: check test-all race live portability page browser readers exports nodes outside slurm ## what has to pass; explore and defects take longer

clean: ## remove what was built and written
	rm -rf bullring out
