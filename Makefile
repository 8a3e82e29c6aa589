# Intrinsic: every entry point. `make run` and `make test` do their own set-up.
#
#   make run      install what is missing, build, start everything on 127.0.0.1:8080
#   make test     the same set-up, then every test
#   make bench    speed, as ratios to something run beside it
#   make benchmark   compare estimators of playing strength
#   make fuzz     random input for everything that reads files
#   make chaos    kill everything, in the middle of analyses
#   make soak     everything at once for 20 minutes, under each sanitizer
#   make help     all targets

V ?= release
B := build/$V
CC := gcc
CORES := $(shell nproc)
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
        -Wformat=2 -Wundef -Wvla -Wcast-qual -Wwrite-strings -Wnull-dereference \
        -Wduplicated-cond -Wlogical-op -Wswitch-enum -fno-common
# Backtraces have functions and lines; values of variables are for the sanitizers' builds.
OPT.release := -O2 -g1 -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fPIE
LINK.release := -Wl,-z,relro,-z,now
OPT.asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPT.tsan := -O1 -g -fsanitize=thread
# What replays files is run for seconds and compiled in half the time of asan's.
OPT.replay := -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPT.cov := -O0 -g --coverage
# libFuzzer is clang's, which knows other warnings; the code has been through gcc's.
OPT.fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
ifeq ($V,fuzz)
CC := clang-14
WARN := -Wall
endif
CFLAGS = -std=c17 -D_GNU_SOURCE -ffp-contract=off -pthread $(WARN) $(OPT.$V) $(if $(CI),-Werror)
CPPFLAGS = -I. -Ianalysis -Iserver -Itests/support -I$B/gen -isystem /usr/include/postgresql -MMD -MP
ANALYSIS_LIBS := -lgsl -lgslcblas -lm
SERVER_LIBS := -lmicrohttpd -ljansson -lpq -lzip -lbz2 -lunistring -lsodium -lfathom -lseccomp -lz -lzstd $(ANALYSIS_LIBS)

LIB_SRC := $(wildcard analysis/*/*.c)
SERVER_SRC := $(filter-out server/main.c,$(wildcard server/*.c server/*/*.c server/*/*/*.c))
RESOURCES := $(addprefix $B/gen/,resources.h resource_table.h views.h view_fills.c handlers.h stand_ins.h api_addresses.h)
QUERIES := $(sort $(wildcard sql/queries/*.sql))
ROWS_SRC := $(QUERIES:sql/queries/%.sql=$B/gen/queries/%_rows.c)
GEN_SRC := $(ROWS_SRC) $B/gen/view_fills.c
# The programs are compiled a folder at a time, which takes a third of the work; tests and what is in lab/
# link objects of single files. Of each width of the processor's lanes an object alone; first in its
# folder what takes the table in a header that others include without it.
ALONE := $(wildcard analysis/model/lanes_[0-9]*.c analysis/human/conv_[0-9]*.c)
TABLES := server/db/exec.c server/http/base/addresses.c server/view/rows.c server/view/figure/shape.c
# UNITS files: the objects of their folders.
UNITS = $(patsubst %/,$B/units/%.o,$(sort $(dir $(filter-out $(ALONE),$1)))) $(patsubst %.c,$B/%.o,$(filter $(ALONE),$1))
LIB_UNITS := $(call UNITS,$(LIB_SRC))
# The largest first, so that no core is without work at the end.
SERVER_UNITS := $(LIB_UNITS) $B/units/gen.o $(call UNITS,$(SERVER_SRC))
# What the lists of members and addresses refer to by @NAME, and how it is read.
REGISTRY := server/registry.awk server/predictors.def server/ratings.def
GEN := $B/gen/queries.h $B/gen/migrations.h $B/gen/grants.h $B/gen/attack_tables.h $B/gen/figures.h \
       $B/gen/champions_table.h $B/gen/problem_types.h $B/gen/registry.h $B/gen/sentences.h $B/gen/sentences_table.h $(RESOURCES)
# What /api/v1, /docs and /openapi.json are made of, for static/api.
API_FILES := $(addprefix static/api/,index.json docs.json openapi.json)
UNIT_BIN := $(patsubst %.c,$B/%,$(wildcard tests/unit/analysis/*/test_*.c))
BENCHMARK_TEST_BIN := $(patsubst %.c,$B/%,$(wildcard tests/unit/lab/test_*.c))
SERVER_TEST_BIN := $(patsubst %.c,$B/%,$(wildcard tests/unit/server/*/test_*.c tests/db/test_*.c \
                     tests/engine/test_*.c tests/http/test_*.c))
SERVER_BENCH_BIN := $B/tests/bench/bench_queue $B/tests/bench/bench_jail $B/tests/bench/bench_fleet
BENCH_BIN := $(filter-out $(SERVER_BENCH_BIN),$(patsubst %.c,$B/%,$(wildcard tests/bench/*.c)))
FUZZ := pgn notes fen san archive remote interchange
# With the whole service in them.
FUZZ_SERVER := http
SUPPORT_SRC := $(wildcard tests/support/*.c)

.DELETE_ON_ERROR:
.PRECIOUS: $B/units/%.c
.DEFAULT_GOAL := build
.PHONY: build help install run run-deps test tests deb deb-check sbom docs sentences examples golden pictures replays model evals pool humans humans-scale engines results trajectory profile validate papers bench benchmark validation fuzz fuzzers chaos soak deps clean

build: $B/intrinsic $B/intrinsic-fetch $(API_FILES) ## compile the service

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

# Sub-makes, so that the compiler is there before anything is decided about building with it. What only
# the running service needs is installed, mostly waiting, while it compiles.
run: ## set up, build, start the service with its own PostgreSQL and engine workers
	@setup/deps.sh build
	@$(MAKE) --no-print-directory -s -j$$(($(CORES) + 1)) run-deps build
	@setup/run.sh $(ARGS)

run-deps:
	@setup/deps.sh run

test: ## set up, build, run every test
	@setup/deps.sh test
	@$(MAKE) --no-print-directory -s -j$(CORES) build tests
	@tests/run.sh $B

deps: ## install what `make run` and `make test` need
	@setup/deps.sh test

tests: build $(addprefix $B/tests/faults/,faults.so clock.so) $(addprefix $B/lab/,benchmark figure_sets papers/papers pool/pool) $(UNIT_BIN) $(BENCHMARK_TEST_BIN) $(SERVER_TEST_BIN) ## compile the tests
	@$(MAKE) --no-print-directory V=replay B=build/replay replays

fuzz: ## random input for the readers, FUZZ_SECONDS (60) a target
	@setup/deps.sh fuzz
	@$(MAKE) --no-print-directory -s -j$(CORES) V=fuzz B=build/fuzz fuzzers
	@tests/fuzz/run.sh build/fuzz $(FUZZ) $(FUZZ_SERVER)

ROUNDS ?= 300
SEED ?= 1
chaos: ## kill service, workers, engines and PostgreSQL, ROUNDS (300) times, by SEED (1), KINDS of them
	@setup/deps.sh test
	@$(MAKE) --no-print-directory -s -j$(CORES) build
	@CHAOS_ROUNDS=$(ROUNDS) CHAOS_SEED=$(SEED) $(if $(KINDS),CHAOS_KINDS='$(KINDS)') tests/support/with_pg.sh node --test tests/e2e/chaos.test.mjs

SOAK_SECONDS ?= 1200
soak: ## everything at once, SOAK_SECONDS (1200) under AddressSanitizer and under ThreadSanitizer
	@setup/deps.sh test
	@$(MAKE) --no-print-directory -s -j$(CORES) build
	@for v in asan tsan; do \
		$(MAKE) --no-print-directory -s -j$(CORES) V=$$v B=build/$$v build/$$v/intrinsic && \
		SOAK_SECONDS=$(SOAK_SECONDS) SOAK_BIN=build/$$v/intrinsic \
			tests/support/with_pg.sh node --test tests/e2e/soak.test.mjs || exit; \
	done

bench: ## speed, as ratios to something run beside it
	@setup/deps.sh bench
	@$(MAKE) --no-print-directory -s -j$(CORES) build $(BENCH_BIN) $(SERVER_BENCH_BIN)
	@tests/support/with_pg.sh tests/bench/run.sh $B

FIGURES ?= $(sort $(wildcard static/calibrations/rating.figures.*.ndjson.zst))
LINES ?= static/calibrations/standard.figures.ndjson.zst
$B/lab/lines.ndjson: $(LINES)
	@mkdir -p $(@D)
	@zstd -dcq $< >$@

benchmark: $B/lab/benchmark $B/lab/lines.ndjson $B/lab/figures ## compare estimators of strength, docs/benchmark.md
	@zstd -dcq $(FIGURES) | $< --lines=$B/lab/lines.ndjson $(ARGS)

validation: $B/lab/benchmark $B/lab/lines.ndjson ## compute again what /validation shows, static/validation.json
	@zstd -dcq $(FIGURES) | $< --variants --both --lines=$B/lab/lines.ndjson \
		--searches=static/calibrations/searches.json --planted --time --json=static/validation.json \
		--neighbours=static/calibrations/online-rapid.neighbours.json \
		--trajectory=static/calibrations/trajectory.json \
		$(patsubst %,--pool=%,$(sort $(wildcard static/calibrations/*.levels.json)))

model: $B/lab/benchmark ## fit the rating again, analysis/model/strength_shipped.inc
	@zstd -dcq $(FIGURES) | $< --open --model=analysis/model/strength_shipped.inc

evals: $B/lab/benchmark ## fit the rating by evaluations in files again, docs/evals_tables.md
	@{ printf '# Tables of evaluations in files\n\nMade by `make evals`; [benchmark.md](benchmark.md#evaluations-in-files) describes them.\n'; \
	zstd -dcq static/calibrations/evals.ndjson.zst >$B/lab/evals.ndjson; \
	zstd -dcq $(FIGURES) | $< --evals=$B/lab/evals.ndjson; \
	printf '\n# With no player held out\n'; \
	zstd -dcq $(FIGURES) | $< --open --evals=$B/lab/evals.ndjson --model=analysis/model/strength_evals.inc; \
	} >docs/evals_tables.md

# Of moves analysed here; and of evaluations in files where PGN names files (docs/pools.md).
POOL ?= online_rapid
POOL_FIGURES ?= $(sort $(wildcard static/calibrations/$(subst _,-,$(POOL)).figures.*.ndjson.zst))
KNOTS.online_rapid = 900,1300,1700,2100,2500
KNOTS.online_blitz = 1000,1600,2200
KNOTS ?= $(KNOTS.$(POOL))
# No player of blitz has two games: the variance between players of one rating is that found in rapid.
BETWEEN.online_blitz = --between=0.165
KNOTS.online_bullet = $(KNOTS.online_blitz)
BETWEEN.online_bullet = $(BETWEEN.online_blitz)
# Other speeds over the board: the curve of standard games, shifted.
STANDARD := $B/lab/otb-paired.ndjson
SCALE = --figures --knots=$(KNOTS) $(BETWEEN.$(POOL))
SCALE.otb_rapid = --standard=$(STANDARD)
SCALE.otb_blitz = $(SCALE.otb_rapid)
PGN_KNOTS ?= 700,1000,1300,1600,1900,2200,2500
POOL_TABLE = { printf '\# Fit of %s\n\nPrinted by `make pool`; [pools.md](pools.md) describes it, and `/validation` has the errors by level.\n\n' $(POOL)_$1; \
	$2 | $B/lab/pool/pool $3 --model=analysis/model/strength_$(POOL)_$1.inc --pool=$(subst _,-,$(POOL)) \
		--json=static/calibrations/$(subst _,-,$(POOL)).$1.levels.json; } >docs/pools_$(POOL)_$1.md
$(STANDARD): static/calibrations/otb-paired.figures.1.ndjson.zst
	@mkdir -p $(@D)
	@zstd -dcq $< >$@

pool: $B/lab/pool/pool $(STANDARD) ## fit the scale of a pool of players again: POOL, and PGN for evaluations in files
	@$(call POOL_TABLE,moves,zstd -dcq $(POOL_FIGURES),$(or $(SCALE.$(POOL)),$(SCALE)))
	@$(if $(PGN),$(call POOL_TABLE,files,zstd -dcqf $(PGN),--knots=$(PGN_KNOTS) \
		--neighbours=static/calibrations/$(subst _,-,$(POOL)).neighbours.json))

# Of games without evaluations: by the trees of rapid.
KNOTS.humans = 1000,1300,1600,1900,2200
# No player of bullet has two games: as in blitz.
BETWEEN.humans.online_bullet = --between=1.43
humans-scale: $B/lab/human/run $B/lab/human/scale ## fit the scale of another POOL by them: NETWORKS, PGN, GAMES
	@mkdir -p $B/lab/human/$(POOL)
	@zstd -dcqf $(PGN) | $< --moves $(NETWORKS) $B/lab/human/$(POOL) $(GAMES)
	@{ printf '# Fit of %s\n\nPrinted by `make humans-scale`; [pools.md](pools.md) describes it, and `/validation` has the errors by level.\n\n' $(POOL)_humans; \
	zstd -dcqf $(PGN) | $B/lab/human/scale --pool=$(subst _,-,$(POOL)) --knots=$(KNOTS.humans) $(BETWEEN.humans.$(POOL)) \
		--model=analysis/model/strength_$(POOL)_humans.inc --json=static/calibrations/$(subst _,-,$(POOL)).humans.levels.json \
		$B/lab/human/$(POOL)/*.bin; } >docs/pools_$(POOL)_humans.md

humans: $B/lab/human/run $B/lab/human/fit ## fit the scale by networks of human moves again: NETWORKS (a folder), PGN, GAMES of it
	@mkdir -p $B/lab/human/moves
	@zstd -dcqf $(PGN) | $< $(NETWORKS) $B/lab/human/moves $(GAMES)
	@{ printf '# Tables of online_rapid_humans\n\nMade by `make humans`; [pools.md](pools.md) describes them.\n\n'; \
	zstd -dcqf $(PGN) | $B/lab/human/fit --model=analysis/model/strength_online_rapid_humans.inc \
		$B/lab/human/moves/*.bin; } >docs/pools_online_rapid_humans.md

engines: $B/lab/engines/equate ## fit the equations between engines again, docs/engines_tables.md
	@{ printf '# Tables of engines\n\nMade by `make engines`; [engines.md](engines.md#ratings-by-other-engines) describes them.\n\n'; \
	zstd -dcq static/calibrations/engines.ndjson.zst | $< --model=analysis/model/strength_engines.inc; } >docs/engines_tables.md

results: $B/lab/outcomes/outcomes $B/lab/outcomes/games ## fit the models of results again, docs/results.md
	@{ printf '# Tables of the models of results\n\nMade by `make results`; [results.md](results.md) describes them.\n\n'; \
	zstd -dcq static/results/champions.tsv.zst | $< --model=analysis/model/results_shipped.inc; } >docs/results_tables.md

CHAMPIONS := $(wildcard static/champions/*.ndjson.zst)
$B/lab/champions.ndjson: $(CHAMPIONS)
	@mkdir -p $(@D)
	@zstd -dcq $(CHAMPIONS) >$@

validate: $B/lab/predictors/predictors $B/lab/champions.ndjson ## compare predictors of results again, static/predictors.json
	@zstd -dcq $(FIGURES) | $< --champions=$B/lab/champions.ndjson --json=static/predictors.json

# The tables are those of the constants, so the program is made again once these are written.
CAREERS := $B/lab/champions.ndjson static/samples/rating.ndjson.zst
trajectory: $B/lab/trajectory/trajectory $(CAREERS) ## fit strength over time again, docs/trajectory_tables.md; then `make validation`
	@zstd -dcqf $(CAREERS) | $< --model=analysis/model/trajectory_shipped.inc
	@$(MAKE) --no-print-directory -s $<
	@{ printf '# Tables of strength over time\n\nMade by `make trajectory`; [trajectory.md](trajectory.md) describes them.\n\n'; \
	zstd -dcqf $(CAREERS) | $< static/calibrations/trajectory.json; } >docs/trajectory_tables.md

# Games with clocks, those with evaluations and the moves of careers are not shipped: ONLINE and CHAMPIONS are
# their folders. The others use what evaluations in files tell, and careers the reference over the board, so the program is
# made again once these are written.
PROFILE = echo; echo '\#\# $1'; echo; $2 | $< $3 --model=analysis/model/profile_$(subst -,_,$1).inc
PROFILE_FIGURES = zstd -dcq static/calibrations/$1.figures.*.ndjson.zst
profile: $B/lab/profile/profile ## fit where players lose points again, docs/profile_tables.md: ONLINE CHAMPIONS
	@mkdir -p $B/lab/clocks && for i in blitz bullet; do zstd -dcqf $(ONLINE)/amateur-$$i.pgn.zst >$B/lab/clocks/$$i.pgn || exit 1; done
	@{ printf '# Tables of where points are lost\n\nMade by `make profile`; [profile.md](profile.md) describes them.\n'; \
	$(call PROFILE,online-rapid-files,zstd -dcqf $(ONLINE)/rapid*.pgn.zst,--evals --low=700 --high=2500 --between=analysis/model/profile_between.inc --halves=analysis/model/profile_halves_online.inc); \
	$(MAKE) --no-print-directory -s $< >&2; \
	$(call PROFILE,online-rapid-moves,$(call PROFILE_FIGURES,online-rapid),--low=900 --high=2500 --untimed); \
	$(call PROFILE,online-blitz-moves,$(call PROFILE_FIGURES,online-blitz),--low=1000 --high=2200 --clocks=$B/lab/clocks/blitz.pgn); \
	$(call PROFILE,online-bullet-moves,$(call PROFILE_FIGURES,online-bullet),--low=1000 --high=2400 --clocks=$B/lab/clocks/bullet.pgn); \
	$(call PROFILE,otb-moves,$(call PROFILE_FIGURES,rating),--low=1200 --high=2800); \
	$(MAKE) --no-print-directory -s $< >&2; \
	zstd -dcq static/champions/rating.*.ndjson.zst >$B/lab/clocks/careers.ndjson; \
	zstd -dcq static/calibrations/otb-*.figures.*.ndjson.zst >$B/lab/clocks/pool.ndjson; \
	printf '\n## Held out, over the board\n'; for i in $(CHAMPIONS)/*.pgn.zst; do zstd -dcqf $$i; echo; done | \
		$< --careers=$B/lab/clocks/careers.ndjson --pool=$B/lab/clocks/pool.ndjson --halves=analysis/model/profile_halves_otb.inc; \
	} >docs/profile_tables.md

papers: build $B/lab/papers/papers ## compute again what /papers shows, static/papers
	@tests/support/with_pg.sh sh -c 'DATABASE_URL=$$INTRINSIC_TEST_PG; export DATABASE_URL; \
		setup/prepare.sh $B/intrinsic >$B/lab/papers/log && $B/lab/papers/papers static/papers'

docs: $(addprefix build/docs/,members.md parameters.md commands.md) ## tables of members, parameters and commands as text, build/docs

sentences: $B/tests/unit/server/sentence/test_sentences ## every sentence with its examples, for reading
	@$< --print

examples: build ## answers that the documentation of the API shows, api/examples.json
	@tests/support/with_pg.sh node tests/e2e/examples.mjs

golden: build ## answers that tests compare with, tests/golden/answers: review git's diff
	@tests/support/with_pg.sh node tests/golden/compare.mjs --write

pictures: build ## first screens of pages, tests/e2e/screens, which tests compare with
	@KEEP=1 tests/support/with_pg.sh node --test tests/e2e/every_page.test.mjs

sbom: build ## bill of materials, build/intrinsic.cdx.json (docs/licences.md)
	@setup/sbom.sh $B >build/intrinsic.cdx.json

PREFIX ?= /usr/local
SHARE = $(DESTDIR)$(PREFIX)/share/intrinsic
install: build ## the programs, their files and the unit of systemd, below PREFIX (/usr/local) of DESTDIR
	@install -D -t $(DESTDIR)$(PREFIX)/bin $B/intrinsic $B/intrinsic-fetch
	@install -D -t $(SHARE)/setup $(addprefix setup/,prepare.sh ratings.sh backup.sh restore.sh stamp.sh fishnet_engine.sh)
	@install -D -m 644 -t $(SHARE)/setup setup/password.sh
	@install -D -m 644 -t $(SHARE) README.md
	@install -D -m 644 -t $(SHARE)/sql sql/roles.sql
	@tar -c --exclude=package.json --exclude=package-lock.json --exclude='*.awk' --exclude=add.sh --exclude=node_modules static templates | tar -x --no-same-owner -C $(SHARE)
	@install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	@sed 's,/usr/local,$(PREFIX),g' setup/intrinsic.service >$(DESTDIR)$(PREFIX)/lib/systemd/system/intrinsic.service

DEB_LEFT = debian/.debhelper debian/intrinsic debian/files debian/debhelper-build-stamp debian/*.substvars \
           debian/*.debhelper debian/*.debhelper.log debian/intrinsic.service debian/*.[18] debian/po/templates.pot
DEB_DIR ?= build
deb: ## Debian package, in build/; DEB_VERSION= for another version
	@setup/deps.sh package
	@rm -rf $(DEB_LEFT) $(DEB_DIR)/intrinsic_*.deb && mkdir -p $(DEB_DIR)
	@DEB_BUILD_OPTIONS=noautodbgsym fakeroot debian/rules binary DEB_DESTDIR=$(DEB_DIR) DEB_VERSION=$(DEB_VERSION) DEB_PACKED=$(DEB_PACKED)
	@rm -rf $(DEB_LEFT)

deb-check: ## install, upgrade and purge the package on a bare Debian, and under systemd
	@$(MAKE) --no-print-directory -s deb DEB_VERSION=0.0.1 DEB_PACKED=-Znone DEB_DIR=build/deb >/dev/null
	@$(MAKE) --no-print-directory -s deb >/dev/null
	@tests/package/bare.sh build/intrinsic_*_*.deb build/deb/intrinsic_0.0.1_*.deb
	@tests/package/booted.sh build/intrinsic_*_*.deb

clean: ## remove what was built
	rm -rf build

$B/%.o: %.c | $(GEN)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$B/units/gen.c: $(GEN_SRC)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $^ >$@

# A folder is newer when a file has come or gone.
$B/units/%.c: % Makefile
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(sort $(filter $(TABLES),$(wildcard $*/*.c))) $(filter-out $(ALONE) $(TABLES),$(wildcard $*/*.c)) $(MORE) >$@.new
	@cmp -s $@.new $@ || mv $@.new $@

# Nobody is warned here of a local with the name of a neighbour's static, or of what is inlined from one:
# that is for files one by one, as the tests have them.
$B/units/%.o: $B/units/%.c | $(GEN)
	$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-shadow -Wno-null-dereference -c $< -o $@

# Tests are compiled as they are written, a third of the time: what they test is optimised as in the service.
TESTS_OPT := -O0 -g -fPIE
$(foreach d,unit db engine http,$B/tests/$d/%.o): private OPT.release = $(TESTS_OPT)

$B/libanalysis.a: $(LIB_SRC:%.c=$B/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

# Methods that the service does without, as pure as its own.
$B/libmethods.a: $(patsubst %.c,$B/%.o,$(wildcard lab/methods/*.c))
	@rm -f $@
	$(AR) rcs $@ $^

METHODS := $B/libmethods.a $B/libanalysis.a

$B/libserver.a: $(SERVER_SRC:%.c=$B/%.o) $(GEN_SRC:.c=.o)
	@rm -f $@
	$(AR) rcs $@ $^

# What is fuzzed of the server, without the database's and the web's libraries.
$B/libingest.a: $(patsubst %.c,$B/%.o,$(wildcard server/core/*.c server/ingest/*.c))
	@rm -f $@
	$(AR) rcs $@ $^

$B/intrinsic: $B/server/main.o $(SERVER_UNITS)
	$(CC) $(OPT.$V) $(LINK.$V) -pthread $^ $(SERVER_LIBS) -o $@

# The service loads no library that goes out.
$B/units/fetch.c: MORE := $(addprefix server/core/,args.c clock.c config.c log.c progress.c signals.c)
$B/intrinsic-fetch: $B/units/fetch.o $B/units/analysis/base.o
	$(CC) $(OPT.$V) $(LINK.$V) $^ -ljansson -lsodium -lcurl -lm -o $@

# Attack tables are computed once, at build time, so that the library holds only constants.
$B/gen/attack_tables.h: analysis/chess/gen/attack_tables.c
	@mkdir -p $(@D)
	$(CC) -O1 -std=c17 $< -o $B/gen/attack_tables
	$B/gen/attack_tables > $@

# Structs, fills and wrappers of the queries; what has not changed keeps its time stamp.
$B/gen/queries.stamp: sql/gen_queries.awk $(QUERIES)
	@rm -rf $B/gen/queries.new && mkdir -p $B/gen/queries.new/queries $B/gen/queries
	awk -v dir=$B/gen/queries.new -f sql/gen_queries.awk $(QUERIES)
	@cd $B/gen/queries.new && for f in queries.h queries/*; do cmp -s $$f ../$$f || mv $$f ../$$f; done
	@rm -rf $B/gen/queries.new && touch $@

$B/gen/queries.h $(ROWS_SRC) $(ROWS_SRC:_rows.c=.h) $(ROWS_SRC:_rows.c=_inside.h): $B/gen/queries.stamp ;

$(GEN_SRC:.c=.o): %.o: %.c | $(GEN)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# Programs of awk first, in their order; then their files.
AWK = awk $1 $(addprefix -f ,$(filter %.awk,$^)) $(filter %.def,$^)

$B/gen/figures.h: $(REGISTRY) server/view/figure/gen_members.awk server/view/figure/members.def server/answers.def \
    server/view/page/pages.def
	@mkdir -p $(@D)
	$(call AWK) > $@

$B/gen/registry.h: $(REGISTRY) server/registry_list.awk
	@mkdir -p $(@D)
	$(call AWK) > $@

$B/gen/champions_table.h: server/champions.awk server/champions.def
$B/gen/problem_types.h: server/problems.awk server/problems.def
$B/gen/champions_table.h $B/gen/problem_types.h:
	@mkdir -p $(@D)
	awk -f $^ > $@

# They have no texts: new words leave them, and what includes them, as they are.
SENTENCES := $(sort $(wildcard templates/sentences/*.txt))
SENTENCES_PART.sentences_table.h := table
$B/gen/sentences.h $B/gen/sentences_table.h: server/sentences.awk $(SENTENCES)
	@mkdir -p $(@D)
	awk -v part=$(SENTENCES_PART.$(@F)) -f $^ > $@.new
	@cmp -s $@.new $@ || mv $@.new $@

build/docs/parameters.md: $(REGISTRY) server/resources.awk server/resources.def
	@mkdir -p $(@D)
	$(call AWK,-v part=md) > $@

# As `intrinsic --help`, `intrinsic fetch --help` and the manual pages, from the tables of server/command/ and server/core/config.h.
build/docs/commands.md: $B/intrinsic $B/intrinsic-fetch
	@mkdir -p $(@D)
	{ printf '# Commands\n\nWhat `intrinsic --help` prints; made by `make docs`.\n\n```text\n'; $< --help; printf '```\n\nAnd `intrinsic fetch --help`:\n\n```text\n'; $B/intrinsic-fetch --help; printf '```\n'; } >$@

build/docs/members.md: $(REGISTRY) server/view/figure/gen_members.awk server/view/figure/members.def server/answers.def
	@mkdir -p $(@D)
	$(call AWK,-v form=md) > $@

$B/api/describe: $B/units/api.o $(SERVER_UNITS)
	@mkdir -p $(@D)
	$(CC) $(OPT.$V) $(LINK.$V) -pthread $^ $(SERVER_LIBS) -o $@

$(API_FILES) &: $B/api/describe api/openapi.json api/examples.json
	@mkdir -p static/api
	$< api/openapi.json api/examples.json static/api

$B/gen/migrations.h: sql/gen_migrations.awk $(wildcard sql/migrations/*.sql)
	@mkdir -p $(@D)
	awk -f sql/gen_migrations.awk $(sort $(wildcard sql/migrations/*.sql)) > $@

$B/gen/grants.h: sql/gen_grants.awk sql/grants.sql
	@mkdir -p $(@D)
	awk -f $^ > $@

RESOURCE_PART.resources.h := params
RESOURCE_PART.resource_table.h := table
RESOURCE_PART.views.h := views
RESOURCE_PART.view_fills.c := fills
RESOURCE_PART.handlers.h := handlers
RESOURCE_PART.stand_ins.h := stand_ins
RESOURCE_PART.api_addresses.h := api

$(RESOURCES): $(REGISTRY) server/resources.awk server/view/figure/members.def server/resources.def
	@mkdir -p $(@D)
	$(call AWK,-v part=$(RESOURCE_PART.$(@F))) > $@

# Unit tests link the pure library and the methods of lab/ alone: code there that needs HTTP or SQL does not link.
$(UNIT_BIN): $B/%: $B/%.o $(patsubst %.c,$B/%.o,$(filter tests/support/ipr_test%.c,$(SUPPORT_SRC))) $(METHODS)
	$(CC) $(OPT.$V) $^ -lcmocka -ljansson $(ANALYSIS_LIBS) -o $@

# The benchmark of strength, and its measures as a test needs them.
BENCHMARK_OBJ := $(patsubst %.c,$B/%.o,$(filter-out lab/benchmark.c lab/figures.c lab/figure_sets.c,$(wildcard lab/*.c)))
# What reads the figures of a calibration, its sentences, and the words of numbers, are the service's.
WORDS_OBJ := $B/server/view/json.o $B/server/view/wording.o
SENTENCE_OBJ := $(patsubst %.c,$B/%.o,$(wildcard server/sentence/*.c server/tmpl/*.c))
BENCHMARK_OBJ += $B/server/view/calibration/input.o $(SENTENCE_OBJ) $(WORDS_OBJ)
$B/lab/benchmark: $B/lab/benchmark.o $(BENCHMARK_OBJ) $B/libingest.a $(METHODS)
	$(CC) $(OPT.$V) $^ -ljansson -lsodium -lunistring $(ANALYSIS_LIBS) -o $@

# A scale for a pool of players.
POOL_OBJ := $(patsubst %.c,$B/%.o,$(wildcard lab/pool/*.c)) $B/lab/bands.o $B/lab/clusters.o $B/lab/data.o $B/lab/model.o $B/lab/names.o $B/lab/number.o $B/lab/pgn.o $B/lab/score.o
$B/lab/pool/pool: $(POOL_OBJ) $B/libingest.a $(METHODS)
	$(CC) $(OPT.$V) $^ -ljansson -lsodium $(ANALYSIS_LIBS) -o $@

# What networks of human moves say of games, and a scale by it.
HUMAN_OBJ := $B/lab/human/games.o $B/lab/names.o $B/lab/pgn.o
$B/lab/human/run: $B/lab/human/run.o $(HUMAN_OBJ) $B/libingest.a $(METHODS)
	$(CC) $(OPT.$V) $^ -ljansson -lsodium -lz $(ANALYSIS_LIBS) -o $@
$B/lab/human/fit $B/lab/human/scale: %: %.o $(HUMAN_OBJ) $(filter-out $B/lab/pool/pool.o $(HUMAN_OBJ),$(POOL_OBJ)) $B/libingest.a $(METHODS)
	$(CC) $(OPT.$V) $^ -ljansson -lsodium $(ANALYSIS_LIBS) -o $@

$B/lab/figures: $B/lab/figures.o $B/lab/names.o $B/libingest.a $(METHODS)
	$(CC) $(FUZZ_LINK)

$B/lab/figure_sets: $B/lab/figure_sets.o $B/lab/data.o $B/lab/score.o $(METHODS)
	$(CC) $(OPT.$V) $^ -ljansson -lsodium $(ANALYSIS_LIBS) -o $@

# Equations between engines: sums extracts their data, equate makes the table.
$B/lab/engines/sums: $B/lab/engines/sums.o $B/lab/names.o $B/libingest.a $(METHODS)
	$(CC) $(FUZZ_LINK)

$B/lab/engines/equate: $B/lab/engines/equate.o $(METHODS)
	$(CC) $(OPT.$V) $^ -ljansson $(ANALYSIS_LIBS) -o $@

# Models of results: games extracts their data, outcomes fits them.
$B/lab/outcomes/games: $B/lab/outcomes/games.o $B/lab/names.o $(METHODS)
	$(CC) $(OPT.$V) $^ $(ANALYSIS_LIBS) -o $@

OUTCOMES_SRC := $(filter-out lab/outcomes/games.c,$(wildcard lab/outcomes/*.c))
$B/lab/outcomes/outcomes: $(OUTCOMES_SRC:%.c=$B/%.o) $(METHODS)
	$(CC) $(OPT.$V) $^ $(ANALYSIS_LIBS) -o $@

# Tables and figures of papers, from a database with the samples and the champions.
$B/lab/papers/papers: $(patsubst %.c,$B/%.o,$(wildcard lab/papers/*.c)) $B/libserver.a $(METHODS)
	$(CC) $(OPT.$V) $(LINK.$V) -pthread $^ $(SERVER_LIBS) -o $@

$B/lab/confirm/confirm: $B/lab/confirm/confirm.o $B/libserver.a $(METHODS)
	$(CC) $(OPT.$V) $(LINK.$V) -pthread $^ $(SERVER_LIBS) -o $@

# Predictors of results, from the champions' figures.
PREDICTORS_OBJ := $(patsubst %.c,$B/%.o,$(wildcard lab/predictors/*.c)) $B/lab/data.o $B/lab/names.o $B/lab/score.o $(WORDS_OBJ)
$B/lab/predictors/predictors: $(PREDICTORS_OBJ) $B/libingest.a $(METHODS)
	$(CC) $(FUZZ_LINK)

# Strength over time, from the champions' games.
TRAJECTORY_OBJ := $(patsubst %.c,$B/%.o,$(wildcard lab/trajectory/*.c)) $B/lab/names.o
$B/lab/trajectory/trajectory: $(TRAJECTORY_OBJ) $B/libingest.a $(METHODS)
	$(CC) $(FUZZ_LINK)

# Where players of a pool lose points.
PROFILE_OBJ := $(patsubst %.c,$B/%.o,$(wildcard lab/profile/*.c)) $B/lab/data.o $B/lab/names.o $B/lab/pgn.o $B/lab/score.o
$B/lab/profile/profile: $(PROFILE_OBJ) $B/libingest.a $(METHODS)
	$(CC) $(FUZZ_LINK)

PREDICTORS_PARTS := $(filter-out $B/lab/predictors/predictors.o $(BENCHMARK_OBJ),$(PREDICTORS_OBJ))
TRAJECTORY_PARTS := $(filter-out $B/lab/trajectory/trajectory.o $(BENCHMARK_OBJ),$(TRAJECTORY_OBJ))
$(BENCHMARK_TEST_BIN): $B/%: $B/%.o $B/lab/pool/neighbours.o $(PREDICTORS_PARTS) $(TRAJECTORY_PARTS) $B/lab/profile/check.o $B/lab/profile/repeat.o $(patsubst %.c,$B/%.o,$(filter tests/support/ipr_test%.c,$(SUPPORT_SRC))) $(BENCHMARK_OBJ) $B/libingest.a $(METHODS)
	$(CC) $(OPT.$V) $^ -lcmocka -ljansson -lsodium -lunistring $(ANALYSIS_LIBS) -o $@

# An archive, so that a test which brings stand-ins of its own for storage or views takes no more
# of the support than it uses.
$B/libsupport.a: $(SUPPORT_SRC:%.c=$B/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

$(SERVER_TEST_BIN): $B/%: $B/%.o $B/libsupport.a $B/libserver.a $B/libanalysis.a
	$(CC) $(OPT.$V) -pthread $(INSTEAD) $^ -lcmocka -lcurl -larchive $(SERVER_LIBS) -o $@

# Pages of papers are tested with what `make papers` puts into their files.
$B/tests/unit/server/view/test_page: $B/lab/papers/page.o $B/lab/papers/figure_page.o

# The edge of the service as it would be if the web library did not call its recv(2).
$B/tests/http/edge_passed_by.o: $B/server/edge/edge.o
	@mkdir -p $(@D)
	objcopy --localize-symbol=recv $< $@

$B/tests/http/test_passed_by: INSTEAD := $B/tests/http/edge_passed_by.o
$B/tests/http/test_passed_by: | $B/tests/http/edge_passed_by.o

# An engine with every fault and a hostile one, for the tests; never instrumented, since their
# memory is limited.
$B/tests/engine/%_uci: tests/engine/%_uci.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -D_GNU_SOURCE -O1 $(WARN) $(if $(CI),-Werror) $< -o $@

$(addprefix $B/tests/engine/test_,process start fleet): | $B/tests/engine/fake_uci
$B/tests/engine/test_jail: | $B/tests/engine/hostile_uci

# What breaks a program's connections, memory and clock from outside.
$B/tests/faults/%.so: tests/faults/%.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -D_GNU_SOURCE -O1 -fPIC -shared -pthread -isystem /usr/include/postgresql $(WARN) $(if $(CI),-Werror) $< -o $@

# A fuzz target is linked twice: to libFuzzer, and to a driver that replays files, as a test.
FUZZ_LIBS := $B/libingest.a $B/libanalysis.a
FUZZ_LINK = $(OPT.$V) -pthread $^ -ljansson -lzip -lbz2 -lzstd -lunistring -lsodium -lz $(ANALYSIS_LIBS) -o $@

FUZZ_BIN := $(FUZZ:%=$B/tests/fuzz/fuzz_%)
FUZZ_SERVER_BIN := $(FUZZ_SERVER:%=$B/tests/fuzz/fuzz_%)
REPLAY_BIN := $(FUZZ:%=$B/tests/fuzz/replay_%)
REPLAY_SERVER_BIN := $(FUZZ_SERVER:%=$B/tests/fuzz/replay_%)

$(FUZZ_BIN): $B/tests/fuzz/fuzz_%: $B/tests/fuzz/fuzz_%.o $(FUZZ_LIBS)
	$(CC) -fsanitize=fuzzer $(FUZZ_LINK)

$(REPLAY_BIN): $B/tests/fuzz/replay_%: $B/tests/fuzz/fuzz_%.o $B/tests/fuzz/replay.o $(FUZZ_LIBS)
	$(CC) $(FUZZ_LINK)

FUZZ_SERVER_LIBS := $B/libsupport.a $B/libserver.a $B/libanalysis.a
FUZZ_SERVER_LINK = $(OPT.$V) -pthread $^ -lcmocka -lcurl -larchive $(SERVER_LIBS) -o $@

$(FUZZ_SERVER_BIN): $B/%: $B/%.o $(FUZZ_SERVER_LIBS)
	$(CC) -fsanitize=fuzzer $(FUZZ_SERVER_LINK)

$(REPLAY_SERVER_BIN): $B/tests/fuzz/replay_%: $B/tests/fuzz/fuzz_%.o $B/tests/fuzz/replay.o $(FUZZ_SERVER_LIBS)
	$(CC) $(FUZZ_SERVER_LINK)

replays: $(REPLAY_BIN) $(REPLAY_SERVER_BIN)
fuzzers: $(FUZZ_BIN) $(FUZZ_SERVER_BIN)

$(BENCH_BIN): $B/%: $B/%.o $B/tests/support/ipr_test_play.o $(METHODS)
	$(CC) $(OPT.$V) $^ $(ANALYSIS_LIBS) -o $@

$(SERVER_BENCH_BIN): $B/%: $B/%.o $B/libserver.a $B/libanalysis.a
	$(CC) $(OPT.$V) -pthread $^ $(SERVER_LIBS) -o $@

-include $(shell find $B -name '*.d' 2>/dev/null)
