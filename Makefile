# `make` alone lists the targets.
VERSION ?= dev
BIN     := bin/bot
DIST    := dist/release
# The same commit and the same Go give the same bytes, wherever they are built.
REPRODUCIBLE := -trimpath -ldflags "-s -w -buildid= -X main.version=$(VERSION)"
# Lint tools live in a module file of their own, so that the bot's go.mod names only what the bot needs.
TOOLS   := go tool -modfile=tools/go.mod
# What a binary is made of, as CycloneDX, by what the linker has written into it. The same binary gives the same file: without a serial
# number, the time, and the hashes of the tool itself, which is another one where the machine that builds it is.
BILL    := $(TOOLS) cyclonedx-gomod bin -json -noserial -notimestamp -std -disable-html-escape -version $(VERSION)
TOOL_HASHES := /^        "hashes": \[$$/,/^        \],$$/

.DEFAULT_GOAL := help
.PHONY: help run demo build test full race lint bench cover docs pictures docker powercut kill pair drill unkind small soak polling foreign speed capacity growth waiting deliveries crowds anything books defects current mutants proof named release fuzz

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## run the bot with the environment and .env
	go run ./cmd/bot

demo: ## run it in a sandbox on this machine
	go run ./cmd/bot demo

build: ## build bin/bot: static, without paths of this machine
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o $(BIN) ./cmd/bot

test: ## run the tests quickly, without the race detector
	go test ./...

full: ## run all tests, with all of each sample, without the race detector: half an hour
	SAMPLES=full go test -timeout 2h ./...

race: ## run the tests under the race detector: more of them than CI, and not those that take long
	go test -race ./...

lint: ## gofmt and golangci-lint, with vet in it (the first time builds it: minutes)
	test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	$(TOOLS) golangci-lint run

powercut: ## cut the power under the store 100,000 times
	POWERCUT_IMAGES=$(or $(POWERCUT_IMAGES),100000) go test -count 1 -v -timeout 1h -run '^TestPowerCut$$' ./internal/store/bolt

proof: ## break purchases in all ways: an hour, or PROOF_TRIPLES=2000 for less
	SAMPLES=full PROOF_TRIPLES=$(or $(PROOF_TRIPLES),all) PROOF_RANDOM=$(or $(PROOF_RANDOM),20000) go test -count 1 -v -timeout 6h -run '^Test(Proof|Canary|Uncertain)' ./internal/proof

kill: ## kill the bot 1,000 times while people buy from it
	KILLS=$(or $(KILLS),1000) go test -count 1 -v -timeout 2h -run '^TestKill$$' ./internal/proof

pair: ## kill one of two bots 1,000 times, freeze the one that leads 200 times, kill 20 primaries under buyers; KILLS=, FROZEN=, FAILOVERS= for less
	FAILOVERS=$(or $(FAILOVERS),20) PATRONI=1 go test -count 1 -v -timeout 2h -run '^Test(PrimaryKilled|Patroni)$$' ./internal/store/postgres
	REPLICA_KILLS=$(or $(KILLS),1000) go test -count 1 -v -timeout 4h -run '^TestReplicas$$' ./internal/proof
	FROZEN=$(or $(FROZEN),200) go test -count 1 -v -timeout 4h -run '^TestFrozen' ./internal/proof

capacity: ## measure the engines beside each other, and how long nobody leads; CAPACITY=short for less
	CAPACITY=$(or $(CAPACITY),full) go test -count 1 -v -timeout 1h -run '^TestCapacity$$' ./internal/proof

unkind: ## play 20,000 random worlds that are as unkind as the service's document allows
	UNKIND_RANDOM=1 UNKIND_WORLDS=$(or $(UNKIND_WORLDS),20000) go test -count 1 -v -timeout 12h -run '^TestUnkindWorlds$$' ./internal/proof

soak: ## let 40 people buy in all weathers, with a kill a minute: an hour, or SOAK=5m for less, and its rest
	SOAK=$(or $(SOAK),1h) go test -count 1 -v -timeout 12h -run '^TestSoak$$' ./internal/proof

drill: ## do to the real program what nights do to it: kills, full disks, old files, clocks; a line each; DRILL="kill|disk" for less
	.ci/drill

small: ## walk every small world of purchases and readings: an hour, or SMALL_WORLDS=depth,own,extras,pauses,rest,states
	SMALL_WORLDS=$(or $(SMALL_WORLDS),full) go test -count 1 -v -timeout 6h -run '^TestSmallWorlds$$' ./internal/purchase

polling: ## simulate the polling of orders, beside plain cron jobs
	POLLING=full go test -count 1 -v -run '^TestPolling$$' ./internal/notify

foreign: ## run the programs that others have published for their libraries; UPDATE=-update writes their table into docs/sandbox.md
	FOREIGN_EXAMPLES=1 TGSIM_FOREIGN_BOTS=1 go test -count 1 -v -timeout 1h -run '^Test(Foreign|ReadmeBots)' ./internal/sandbox $(UPDATE)

speed: ## measure what an update costs the real program, beside a bot of the bare library; SPEED=short for a night
	SPEED=$(or $(SPEED),full) go test -count 1 -v -timeout 1h -run '^TestSpeed$$' ./internal/proof

growth: ## measure start, memory, processor and file by chats, open orders and purchases: an hour; GROWTH=short for less
	GROWTH=$(or $(GROWTH),full) go test -count 1 -v -timeout 4h -run '^TestGrowth$$' ./internal/proof

waiting: ## measure how long people wait for codes, with the real program; WAITING=short for a night
	WAITING=$(or $(WAITING),full) go test -count 1 -v -timeout 1h -run '^TestWaiting$$' ./internal/proof

deliveries: ## simulate 10,000 codes for 1,000 chats
	DELIVERIES=full go test -count 1 -v -run '^TestDeliveries$$' ./internal/notify

anything: ## have people of every role tap and type anything in 300 worlds; ANYTHING=1000 for more
	ANYTHING=$(or $(ANYTHING),300) SAMPLES=full go test -count 1 -timeout 2h -run '^TestAnything$$' ./internal/conversations

books: ## have 200 shops with books live through hard days; BOOKS=1000 for more
	BOOKS=$(or $(BOOKS),200) SAMPLES=full go test -count 1 -v -timeout 2h -run '^TestBooksInAHardWorld$$' ./internal/conversations

crowds: ## have crowds of strangers write while shops buy, also ten times as large
	CROWDS=full go test -count 1 -v -timeout 30m -run '^Test(Crowd|NothingIsKept)' ./internal/conversations

bench: ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

cover: ## test coverage, by package and in cover.html
	go test -coverprofile=cover.out ./...
	go tool cover -html=cover.out -o cover.html

docs: ## write .env.example, the table in the README, the diagram and the sandbox's tables anew
	go test ./internal/app ./internal/purchase ./internal/sandbox -run TestDocs -update

pictures: ## make the README's pictures anew (needs Chromium)
	go test ./internal/sandbox -count 1 -run TestPictures -pictures $(CURDIR)/docs

docker: ## build the image reseller-bot:VERSION
	docker build --build-arg VERSION=$(VERSION) -t reseller-bot:$(VERSION) .

defects: ## put all mistakes of its list into the program, and see that tests catch them (an hour and more)
	go test -tags defects ./internal/proof -run '^TestDefects(AreCurrent|Build)?$$' -v -timeout 12h

current: ## see that every mistake of that list can still be made, as CI does
	go test -tags defects ./internal/proof -run '^TestDefects(AreCurrent|Build)$$'

mutants: ## make small mistakes that nobody chose, and see which live; MUTANTS="verdicts roles purchase" (hours), or purchase:judge
	.ci/mutants $(MUTANTS)

named: ## refuse a VERSION that CHANGELOG.md does not name
	@grep -qF '## [$(VERSION)] - ' CHANGELOG.md || { echo "CHANGELOG.md has no version $(VERSION): name it there first" >&2; exit 1; }

release: named ## build DIST (dist/release): static binaries for Linux, what they are made of, and checksums (the first time builds the tool for it: a minute)
	rm -rf $(DIST) && mkdir -p $(DIST)
	for arch in amd64 arm64; do \
		CGO_ENABLED=0 GOOS=linux GOARCH=$$arch GOAMD64=v1 GOARM64=v8.0 go build $(REPRODUCIBLE) -o $(DIST)/bot-linux-$$arch ./cmd/bot && \
		$(BILL) -output $(DIST)/bot-linux-$$arch.cdx.json $(DIST)/bot-linux-$$arch && \
		sed -i '$(TOOL_HASHES)d' $(DIST)/bot-linux-$$arch.cdx.json || exit 1; \
	done
	cp -r LICENSE README.md CHANGELOG.md .env.example deploy docs $(DIST)
	cd $(DIST) && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum > SHA256SUMS

fuzz: ## fuzz every target, FUZZ_MINUTES (15) for all together; nightly: 120
	.ci/fuzz
