# Everything that is done with the project, a target each. What a target needs beyond Go, make,
# git and the tools of a shell stands in its line: (wants ...). .ci/fresh runs each of the others
# on a machine that has no more, and with empty caches.

GO          ?= go
STATICCHECK  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
SPECS        = lcr changroberts bully elections random-rings lcr-distribution floodmax ghs pulses raft raft-crash floodset generals commit benor chandratoueg paxos broadcast gossip waves termination mutex mutex-load raymond maekawa published loss bursts loss-n crashes modifiedring late detectors reliable failover bully-ring motion topologyaware medium rare
FIGURES      = out/figures
FUZZTIME    ?= 200000x # inputs, not seconds: a fuzz run that time ends may fail for no reason (go.dev/issue/75804)
FUZZ        ?= ./des:FuzzParseDistribution ./des:FuzzParseProbability ./netem/impair:FuzzParse ./netem/medium:FuzzParse \
               ./faults:FuzzParse ./protocols/links:FuzzParse ./protocols/detector:FuzzParse \
               ./protocols/reliable:FuzzParse ./protocols/box:FuzzDecode ./experiments/campaign/spec:FuzzParse ./experiments/campaign/spec:FuzzClaim \
               ./experiments/real/foreign:FuzzNode ./netem/live/remote:FuzzNews ./experiments/trial:FuzzSetting \
               ./experiments/trial:FuzzGraphFile ./experiments/campaign/verify:FuzzJournal ./experiments/campaign/verify:FuzzManifest \
               ./experiments/campaign/verify:FuzzCase ./experiments/campaign/figures:FuzzReceipt ./plots:FuzzMarkup \
               ./plots/internal/page:FuzzReadMeta ./experiments/cli:FuzzRun ./experiments/real/maelstrom:FuzzServe
PACKAGES     = ./...
CONCURRENT   = Workers|Cancelled|Stopped|Shards|Damaged|Sample|Stops|Critical|Worst|Progress|Interrupt|Sweep$$

MUTATED     ?= ./experiments/campaign/journal ./faults ./netem ./netem/impair ./netem/explore ./netem/graph ./protocols ./protocols/election ./protocols/mutex ./protocols/snapshot ./protocols/multicast
SAMPLE      ?= 40
SEED        ?= 1
BENCH       ?= .
BENCHTIME   ?= 1s
PLANS       ?= 170000
PROMISES    ?= 2800
PROVEN      ?= Proven
DEFECTS     ?= TestDefects

.PHONY: help build test test-all longer race check figures bench bars slopes peers spin fuzz mutants plans promises explore defects golden docs portability page browser screenshots readers exports nodes outside live live-figures netem slurm home fresh ci clean

# Targets compile with the same flags, so that they share what is compiled, and tests are vetted
# by check alone. Without tables for debuggers compiling takes an eighth less, and traces of
# panics are whole. Without cgo no C compiler is needed; the race detector alone wants one. With
# -trimpath the modules of docs/example would have this one compiled once more.
export GOFLAGS += -gcflags=all=-dwarf=false -vet=off
export CGO_ENABLED = 0

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

build: ## build ./bullring, and list the packages that are compiled for it (the first time a minute)
	@$(GO) build -v -buildvcs=auto -ldflags='-s -w' -o bullring ./cmd/bullring

# A limit that no machine reaches on which tests pass.
TIMEOUT     ?= 60m
# One line for each package as it ends, and where it is if it takes long.
LINES        = $(GO) run ./internal/testlines

# The house comes last: its tests have the go command compile all packages, and would have
# it do so beside the other tests.
HOUSE_LAST   = sort -r | awk '/internal\/house$$/ { house = $$0; next } { print } END { print house }'

test: ## run all tests, those that take long in a small form (some minutes); check vets
	@$(GO) test -short -json -timeout $(TIMEOUT) $$($(GO) list $(PACKAGES) | $(HOUSE_LAST)) | $(LINES)
	cd docs/example && $(GO) test ./...

longer: ## run the tests that have a longer form than that of test in full (some minutes)
	@$(GO) test -json -timeout $(TIMEOUT) $$(.ci/longer) | $(LINES)

test-all: test longer ## test, then longer

race: ## run the concurrent parts under the race detector (wants a C compiler)
	CGO_ENABLED=1 $(GO) test -race -short -timeout $(TIMEOUT) ./des/... ./netem/... ./experiments/campaign/journal
	CGO_ENABLED=1 $(GO) test -race -short -timeout $(TIMEOUT) ./experiments/campaign/sweep ./experiments/trial/search ./experiments/campaign/verify ./experiments/cli -run '$(CONCURRENT)' -skip KilledAndDamaged # which starts the program until a kill strikes in time

check: ## gofmt, go vet (for Windows and macOS, too), go mod tidy, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GO) vet $(PACKAGES)
	GOOS=windows $(GO) vet $(PACKAGES)
	GOOS=darwin $(GO) vet $(PACKAGES)
	$(GO) mod tidy -diff
	$(GO) run $(STATICCHECK) $(PACKAGES)

figures: build ## run the sweeps of the project and draw their figures, into out/figures
	@for s in $(SPECS); do ./bullring sweep experiments/specs/$$s.yaml -o $(FIGURES)/$$s --again || exit 1; done
	@./bullring report $(FIGURES) -o $(FIGURES)/index.html
	@echo "Figures, tables, seeds and manifests are in $(FIGURES); to look at them, open $(FIGURES)/index.html"

bench: ## run the benchmarks; benchstat compares the files
	mkdir -p out
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) ./des ./netem/... ./experiments/trial ./experiments/campaign/sweep ./experiments/catalog/... ./plots | tee out/bench.txt

BARS        ?=

bars: ## measure against the bars of docs/performance.md, and fail if one is missed by more than the noise (some five minutes; wants a quiet machine; BARS='W2|trial' for some)
	@.ci/bars '$(BARS)'

slopes: ## measure how the time of a run grows with n, and draw docs/figures/slopes.png (a minute; wants a quiet machine)
	$(GO) test -run 'TestSlopes$$' -v -timeout 30m ./experiments/catalog -slopes

peers: ## compare the event set with those of ns-3 and SimPy, on the same workloads (some minutes; wants Debian's g++, libns3-dev, python3-simpy3)
	$(GO) test ./des -run TestPeers -v -timeout 60m -bars

spin: ## compare the explorer with SPIN: states, transitions, time and memory (a minute or two; wants Debian's spin and gcc)
	$(GO) test ./experiments/catalog/elections -run TestBesideSPIN -v -timeout 60m -bars

fuzz: ## fuzz every parser with FUZZTIME inputs each (FUZZ=./des:FuzzParseProbability for one)
	@for f in $(FUZZ); do echo "$$f"; $(GO) test -run '^$$' -fuzz "^$${f#*:}\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$${f%:*}" || exit 1; done

mutants: ## change SAMPLE places of each of MUTATED, one at a time, and print what no test notices (some seconds each; SAMPLE=0 is all)
	nice $(GO) run ./internal/mutants -sample $(SAMPLE) -seed $(SEED) $(MUTATED)

plans: ## run a million random fault plans inside the models (minutes)
	$(GO) test -run TestRandomPlans -v -timeout 60m ./experiments/catalog/... -plans $(PLANS) | grep -v '^=== '

promises: ## run a hundred thousand random settings inside the models, and hold each to what is promised (minutes)
	$(GO) test -run 'TestPromises$$' -v -timeout 60m ./experiments/cli -promises $(PROMISES) | grep -v '^=== '

explore: ## explore what takes longer than a test may, with its states pinned (a minute or two, 1 GB)
	$(GO) test -timeout 30m ./experiments/catalog/... -run '$(PROVEN)' -v -deep

defects: ## show which seeded defects are caught, as docs/defects.md says (some half an hour; make test-all shows it for one of each algorithm)
	$(GO) test -timeout 30m ./experiments/catalog/... -run '$(DEFECTS)' -v -defects
	$(GO) test -timeout 60m ./experiments/campaign/judge -run 'TestPortedDefects|TestRightUnderLoad' -v -ported # wants python3

golden: ## rewrite the golden files; read the diff
	$(GO) test ./experiments/campaign/spec ./experiments/cli/internal/view ./experiments/campaign/paper $$(grep -rl bullring/internal/golden --include=*_test.go . | xargs -n 1 dirname | sort -u | grep -vx ./experiments/cli) -update
	$(GO) test ./experiments/cli -run TestNamesInJSON -update # the others run the program with the flags of the test
	$(GO) test ./plots ./plots/spacetime -regen
	@git --no-pager diff --stat

# A figure of the documentation names the program that drew it. The go command stamps no test
# and no program of another module: the linker does.
VERSION      = v0.0.0-$(shell TZ=UTC git log -1 --date=format-local:%Y%m%d%H%M%S --abbrev=12 --format=%cd-%h)$(if $(shell git status --porcelain),+dirty)
docs slopes live-figures: export GOFLAGS += -ldflags=-X=bullring/internal/build.version=$(VERSION)

docs: ## write what pages take from the program: explanations, lists of algorithms, console blocks; read the diff
	$(GO) test ./experiments/catalog -run TestDocs -update-docs
	$(GO) test ./cmd/bullring -update
	cd docs/example && $(GO) test . -run PagesAreFollowed -update
	@git --no-pager diff --stat

PROCESSORS ?= # all

portability: ## the same fingerprints and tables on other processors (some minutes; wants Debian's qemu-user-static; PROCESSORS="arm64 s390x" for some)
	.ci/portability $(PROCESSORS)

page: ## check the page of a run: types, and its model on small runs (wants node and npm)
	.ci/page/check

browser screenshots nodes live: SHELL = /bin/bash -o pipefail
browser: build ## open pages of runs and of folders in a browser: click, press keys, look (half a minute; wants Debian's chromium)
	@cd .ci/browser && $(GO) test -count=1 -v . | grep -v '^=== '

screenshots: build ## take the screenshots of the documentation, into docs/figures (wants Debian's chromium); look at them
	@cd .ci/browser && $(GO) test -count=1 -v . -run TestShots -shots $(CURDIR)/docs/figures | grep -v '^=== '

readers: ## open the tables with pandas, R and DuckDB, as a folder's COLUMNS.md shows (wants those; says what there is not)
	.ci/readers

exports: ## read exported runs with the parsers of Mermaid, Perfetto, ShiViz, Quint and Graphviz (wants node, npm and graphviz)
	.ci/exports

nodes: ## run the examples of docs/nodes and docs/class, and hold their fingerprints and states to the catalogue's (wants python3, node and javac)
	$(GO) test ./cmd/bullring -run 'TestNodes$$|TestExploredNodes$$|TestStorage$$|TestConsoleBlocks/docs/(nodes|class)' -count=1 -v -nodes | grep -v '^=== '
	$(GO) test -short ./experiments/campaign/judge ./experiments/campaign/grade ./experiments/real/foreign -count=1
	$(GO) test -short ./experiments/cli -run 'Program|Judge|Grade|Live' -count=1

outside: SHELL = /bin/bash -o pipefail
outside: build ## have links and plans read by tc and a shell (some seconds; wants Debian's iproute2)
	@$(GO) test ./netem/impair ./experiments/real/outside -count 1 -v -run 'TestTC|TestScript' | grep -E '^ *(---|ok|FAIL|panic|\S+_test.go|#)' # a test that is skipped says SKIPPED

live: build ## runs over real sockets: races, counts held to theory, failures harvested and replayed, garbage, leaks, hosts in network namespaces (a minute or two; wants a C compiler; no time is measured)
	CGO_ENABLED=1 $(GO) test -race -short -timeout $(TIMEOUT) ./netem/live/...
	$(GO) test -timeout $(TIMEOUT) ./experiments/real/lab -run 'TestAgreement$$|TestHarvest$$' -count=1 -v | grep -v '^=== '
	$(GO) test -run '^$$' -fuzz FuzzReadFrame -fuzztime $(FUZZTIME) ./netem/live
	$(GO) test -timeout $(TIMEOUT) ./netem/live -run 'TestSoak$$' -count=1 -v -soak 5s | grep -v '^=== '
	.ci/hosts

live-figures: ## measure the figures of docs/live.md over sockets, and draw them (ten minutes; wants a quiet machine); look at them
	$(GO) test ./experiments/real/lab -run 'TestFigures$$' -count=1 -v -timeout $(TIMEOUT) -measure 300

netem: SHELL = /bin/bash -o pipefail
netem: ## compare mode compat of links with the netem of this kernel, over a veth (some minutes; wants root or user namespaces, and says if the kernel has none)
	@$(GO) test ./netem/impair -run 'TestKernel$$' -count 1 -v -timeout 30m -kernel | grep -v '^=== '

slurm: ## run a sweep on a real Slurm on this machine, with a task killed (wants Debian's packages and slurm-local)
	.ci/slurm

home: export MODULE ?=
home: ## give the module the path under which you publish it: MODULE=example.org/you/bullring; everything that names it follows
	@$(GO) run ./internal/home "$$MODULE"

fresh: ## type README's commands in a new clone with empty caches, then each target that wants no more than Go, make, git and a shell
	.ci/fresh

ci: export PROCESSORS = s390x
ci: ## what has to pass, in a new clone: fresh, then the other targets (wants what they want); explore and defects take longer
	.ci/fresh race live portability page browser readers exports nodes outside slurm

clean: ## remove what was built and written
	rm -rf bullring out
