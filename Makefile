# collsim. `make` builds; `make demo` and `make check` first install missing packages. `make help` lists all targets.
CC       = gcc
MPICC    = mpicc
SMPICC   = smpicc
MPICHCC  = mpicc.mpich
BUILD    = build
# Line numbers are all that a backtrace needs; with -g the build takes a third longer, and a debugger shows variables too.
# What is under sanitizers is compiled in half the time without optimising; only what takes most of the time of a replay
# is worth it, and not more than -Og, since -O1 takes three times as long. The answers of cli/ take no time, and what is
# COLD little; a test program spends its time in what it tests.
OPT      = $(if $(SANITIZE),$(if $(filter $(HOT),$(@D)/),-Og,-O0),$(if $(filter $(COLD),$(@D)/),-O1,$(if $(filter $(BUILD)/tests/test_%,$@),-O0,-O3)))
HOT      = $(patsubst %,$(BUILD)/%/,sim/base sim/engine/replay sim/engine/schedule algos/api)
COLD     = $(patsubst %,$(BUILD)/%,cli/% sim/advice/% sim/libraries/% sim/library/% sim/measurements/% sim/run/% \
               sim/judge/audit/% sim/judge/validate/% sim/judge/compare/%)
DEBUG    = -g1
# A short line for each command: $(call short,KIND,FILE). `make V=1` prints the commands themselves, and `make -s` nothing.
short    = $(if $(filter-out 0,$(V)),,@$(if $(1),$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '$(1) $(2)';)))
SANITIZE =
# How many commands of make run at a time: one for each core.
JOBS    := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# A folder has one name, however it is given, because the .d files hold the names of their objects.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
WARN     = -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-missing-field-initializers
CFLAGS   = -std=gnu11 $(DEBUG) $(OPT) $(WARN) -ffp-contract=off -fPIC -fno-semantic-interposition $(SANITIZE) -Ialgos -Isim -Icli \
           $(GLIB_CFLAGS)
# pkg-config is asked once, when a command first needs its answer.
GLIB_CFLAGS = $(eval GLIB_CFLAGS := $(shell pkg-config --cflags glib-2.0))$(GLIB_CFLAGS)
GLIB_LIBS   = $(eval GLIB_LIBS := $(shell pkg-config --libs glib-2.0))$(GLIB_LIBS)
# A program that is always loaded at one address needs no relocation of the tables of the algorithms, so it starts in 77 %
# of the time, and scripts start thousands. A library does not take LINK: clang warns of -no-pie beside -shared.
LINK     = -no-pie
# The linker gold, where it is there, takes half the time of the default one; test programs are many.
GOLD    := $(if $(shell command -v ld.gold),-fuse-ld=gold)
LIBS     = -Wl,--as-needed $(GLIB_LIBS) -lm
LDLIBS   = $(LINK) $(LIBS)

# The backends, as PROGRAM:COMPILER:PACKAGES. collsim-mpi uses Open MPI, collsim-mpich Debian's MPICH, which can be
# installed beside it, and collsim-smpi SimGrid's SMPI. A backend is built if its compiler finds mpi.h, since Debian has
# packages with mpicc and without headers; `make` says which backends it leaves out. One shell asks all compilers at
# once, unless nothing is compiled. SMPI makes the stacks of its ranks itself, which sanitizers cannot follow, so
# collsim-smpi is left out under a sanitizer.
ALL_BACKENDS = mpi:$(MPICC):openmpi-bin:libopenmpi-dev mpich:$(MPICHCC):mpich:libmpich-dev \
               $(if $(SANITIZE),,smpi:$(SMPICC):simgrid:libsimgrid-dev)
words_of = $(subst :, ,$(1))
compiler = $(word 2,$(call words_of,$(1)))
COMPILE_NOTHING = check check-all checked-plain checked-sanitized begun-sanitized clean dist help install-files installed-files public-headers uninstall
COMPILING = $(filter-out $(COMPILE_NOTHING),$(or $(MAKECMDGOALS),all))
ABLE    := $(if $(COMPILING),$(shell for cc in $(foreach b,$(ALL_BACKENDS),$(call compiler,$b)); do \
               "$$cc" -E -include mpi.h -x c /dev/null >/dev/null 2>&1 && echo "$$cc" & done; wait))
BACKENDS = $(foreach b,$(ALL_BACKENDS),$(if $(filter $(call compiler,$b),$(ABLE)),$(BUILD)/collsim-$(firstword $(call words_of,$b))))
MISSING  = $(foreach b,$(ALL_BACKENDS),$(if $(filter $(call compiler,$b),$(ABLE)),,$b))
INTERNAL = $(BUILD)/collsim-internal.a
LIB_SRC  = $(filter-out sim/run/mpi/%,$(wildcard sim/*/*.c sim/*/*/*.c)) $(wildcard algos/*/*.c)
CLI_SRC  = $(filter-out cli/explore/%,$(wildcard cli/*.c cli/*/*.c cli/*/*/*.c))
# The page of `collsim explore` is served by a program of its own, which alone needs an HTTP library.
HTTP    := $(if $(shell pkg-config --exists 'libmicrohttpd >= 0.9.71' 2>/dev/null && echo yes),libmicrohttpd gio-2.0)
EXPLORE  = $(if $(HTTP),$(BUILD)/collsim-explore)
HELP_SRC = $(filter-out $(wildcard tests/test_*.c),$(wildcard tests/*.c))
FUZZ_SRC = $(wildcard tests/fuzz/*.c)
# All backends have these sources, a main function, host_*.c (what differs between MPI and SMPI), and some polite_mpich.c (how a
# rank of MPICH waits without keeping its core busy).
MPI_SRC  = $(filter-out sim/run/mpi/mpi_main.c sim/run/mpi/host_% sim/run/mpi/polite_%,$(wildcard sim/run/mpi/*.c))
TESTS    = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
obj      = $(patsubst %.c,$(BUILD)/%.o,$(1))
# Up to UNIT sources of a folder are compiled at once (install/units.pl): the 39 of algos/bcast take 4.8 s of CPU one by one,
# and 1.3 s in units. `make UNIT=` compiles each by itself.
UNIT    := $(if $(shell command -v perl),12)
PACKED   = $(LIB_SRC) $(CLI_SRC) $(HELP_SRC) $(MPI_SRC) $(if $(FUZZING),,$(FUZZ_SRC))
OBJECTS := $(if $(COMPILING),$(if $(UNIT),$(or $(shell install/units.pl $(UNIT) $(BUILD) $(PACKED)),$(error install/units.pl failed)),$(call obj,$(PACKED))))
CLI_OBJ  = $(filter $(BUILD)/cli/%,$(OBJECTS))
MPI_OBJ  = $(filter $(BUILD)/sim/run/mpi/%,$(OBJECTS))
FUZZ_OBJ = $(filter $(BUILD)/tests/fuzz/%,$(OBJECTS))
HELP_OBJ = $(filter-out $(FUZZ_OBJ),$(filter $(BUILD)/tests/%,$(OBJECTS)))
LIB_OBJ  = $(filter-out $(CLI_OBJ) $(MPI_OBJ) $(FUZZ_OBJ) $(HELP_OBJ),$(OBJECTS))
SOURCES  = $(LIB_SRC) $(CLI_SRC) $(wildcard cli/explore/*.c tests/*.[ch] tests/mpi/*.c tests/order/*.[ch] tests/rules/*.c tests/fuzz/*.c sim/run/mpi/*.c sim/*/*.h sim/*/*/*.h algos/*.h algos/*/*.h cli/*.h cli/*/*.h cli/*/*/*.h)

.PHONY: all
all: $(BUILD)/collsim $(BUILD)/libcollsim.so $(BUILD)/libcollsim.a $(BACKENDS) $(EXPLORE)
	@why() { command -v "$$1" >/dev/null && echo "$$1 does not find mpi.h" || echo "$$1 is missing"; }; \
	$(foreach b,$(MISSING),echo "collsim-$(firstword $(call words_of,$b)) is not built: $$(why $(call compiler,$b)) (Debian: $(wordlist 3,4,$(call words_of,$b)))";) $(if $(HTTP),,echo "collsim-explore is not built: libmicrohttpd is missing (Debian: libmicrohttpd-dev)";) :

# Plugins call the functions of coll.h in the program that loads them.
$(BUILD)/collsim: $(CLI_OBJ) $(INTERNAL) $(BUILD)/exports.list
	$(call short,LD,$@)$(CC) $(CFLAGS) $(EXPORTS) -o $@ $(filter-out %.list,$^) $(LDLIBS) -ldl
$(INTERNAL): $(LIB_OBJ)
	$(call short,AR,$@)rm -f $@ && ar rcs $@ $^

$(BUILD)/collsim-explore: $(call obj,$(wildcard cli/explore/*.c)) $(INTERNAL)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS) $(shell pkg-config --libs $(HTTP)) -ldl
$(call obj,$(wildcard cli/explore/*.c)): private CFLAGS += $(if $(HTTP),$(shell pkg-config --cflags $(HTTP)))
$(BUILD)/cli/explore/explore_files.o: $(wildcard cli/explore/page.* cli/explore/*.js)

# The library for other programs. Both forms are made of one object, which has what the names in exports.txt need and in
# which all other names are local. Programs of ours link the internal archive, whose names are all visible. coll.h's
# part of the names can be exported by a program too, for the algorithms that it loads (EXPORTS).
VERSION  = $(shell sed -n 's/^.define COLLSIM_VERSION "\(.*\)"/\1/p' sim/base/version.h)
ABI      = 0
EXPORTED = sim/library/exports.txt
EXPORTS  = $(shell sed -n 's/^coll_/-Wl,-u,&/p' $(EXPORTED)) -Wl,--dynamic-list=$(BUILD)/exports.list
# GLib's functions that end the process, for each of which sim/library/library_bug.c has another.
LIBRARY_WRAPS = g_log g_assertion_message_expr g_malloc g_malloc0 g_malloc_n g_malloc0_n g_realloc g_realloc_n
$(BUILD)/libcollsim.o: $(INTERNAL) $(EXPORTED)
	$(call short,LD,$@)$(LD) -r -o $@ $(LIBRARY_WRAPS:%=--wrap=%) $(shell sed 's/^/-u /' $(EXPORTED)) $(INTERNAL)
	$(call short)objcopy --strip-debug --keep-global-symbols=$(EXPORTED) $@
$(BUILD)/libcollsim.a: $(BUILD)/libcollsim.o
	$(call short,AR,$@)rm -f $@ && ar rcs $@ $<
$(BUILD)/exports.list: $(EXPORTED)
	@mkdir -p $(@D)
	$(call short,GEN,$@){ echo '{'; sed -n '/^coll_/s/$$/;/p' $<; echo '};'; } >$@
$(BUILD)/exports.map: $(EXPORTED)
	@mkdir -p $(@D)
	$(call short,GEN,$@){ echo 'COLLSIM_$(ABI) { global:'; sed 's/$$/;/' $<; echo 'local: *; };'; } >$@
$(BUILD)/libcollsim.so.$(VERSION): $(BUILD)/libcollsim.o $(BUILD)/exports.map
	$(call short,LD,$@)$(CC) $(CFLAGS) -Wl,-soname,libcollsim.so.$(ABI) -Wl,--version-script=$(BUILD)/exports.map -shared -o $@ $< $(LIBS)
$(BUILD)/libcollsim.so: $(BUILD)/libcollsim.so.$(VERSION)
	$(call short,LN,$@)ln -sf $(<F) $@.$(ABI) && ln -sf $(@F).$(ABI) $@
# The headers below algos/ that an installation has, in folders as there.
PUBLIC_HEADERS = coll.h times/times.h $(patsubst algos/%,%,$(wildcard algos/shapes/*.h)) \
                 $(patsubst %,api/%.h,linkage slice view nodes blocks communicate integers collective) \
                 $(patsubst %,registry/%.h,entry plugin needs composition halves hierarchy lengths node_counts rails registry)
.PHONY: public-headers
public-headers:
	@echo $(PUBLIC_HEADERS)

backend  = $(MPI_OBJ:$(BUILD)/sim/run/mpi/%=$(BUILD)/$(1)/%) $(patsubst %,$(BUILD)/$(1)/%.o,mpi_main $(2))
$(BUILD)/collsim-mpi: $(call backend,mpi,host_mpi)
$(BUILD)/collsim-mpich: $(call backend,mpich,host_mpi polite_mpich)
$(BUILD)/collsim-smpi: $(call backend,smpi,host_smpi)
# gcc believes that MPI_Waitall writes to MPICH's MPI_STATUSES_IGNORE, and warns of an overflow; clang does not know the
# option.
STATUSES = -Wno-stringop-overflow -Wno-unknown-warning-option
# A variable that is private is not handed down to what a target is made of: the compiler of the first backend would compile
# all of algos/ and sim/.
$(BUILD)/mpi/%.o $(BUILD)/collsim-mpi: private override CC = $(MPICC) $(STATUSES)
$(BUILD)/mpich/%.o $(BUILD)/collsim-mpich: private override CC = $(MPICHCC) $(STATUSES)
$(BUILD)/smpi/%.o $(BUILD)/collsim-smpi: private override CC = $(SMPICC) -DSMPI_NO_OVERRIDE_MALLOC
# SMPI loads the program as a library.
$(BUILD)/collsim-smpi: private LINK =
# Open MPI's monitoring looks for a function of this name in the program; host_mpi.c defines it.
$(BUILD)/collsim-mpi: private LDLIBS += -Wl,--export-dynamic-symbol=mca_common_monitoring_record_pml
$(BUILD)/collsim-mpi $(BUILD)/collsim-mpich $(BUILD)/collsim-smpi: $(INTERNAL) $(BUILD)/exports.list
	$(call short,LD,$@)$(CC) $(CFLAGS) $(EXPORTS) -o $@ $(filter %.o,$^) $(INTERNAL) $(LDLIBS) -ldl
define backend_objects
$(BUILD)/$(1)/%.o: sim/run/mpi/%.c Makefile | folders
	$$(call short,CC,$$@)$$(CC) $$(CFLAGS) -MMD -MP -c -o $$@ $$<
$(BUILD)/$(1)/%.o: $(BUILD)/sim/run/mpi/%.c Makefile | folders
	$$(call short,CC,$$@)$$(CC) $$(CFLAGS) -Wno-shadow -MMD -MP -c -o $$@ $$<
endef
$(foreach b,mpi mpich smpi,$(eval $(call backend_objects,$b)))

# Backends that make mistakes, for test_mpi.
WRONG    = $(if $(filter %/collsim-mpi,$(BACKENDS)),$(patsubst tests/mpi/%.c,$(BUILD)/%/collsim-mpi,$(wildcard tests/mpi/*.c)))
$(WRONG): $(BUILD)/%/collsim-mpi: tests/mpi/%.c $(call backend,mpi,host_mpi) $(INTERNAL)
	@mkdir -p $(@D)
	$(call short,LD,$@)$(MPICC) $(CFLAGS) -o $@ $(filter %.c %.o,$^) $(INTERNAL) $(LDLIBS)

# Compares MPICH's messages with ours. The functions that it exports take the place of UCX's.
ORDERS   = $(if $(SANITIZE),,$(if $(filter %/collsim-mpich,$(BACKENDS)),$(BUILD)/tests/order_mpich))
POLITE   = -Wl,--export-dynamic-symbol=ucp_worker_progress
$(BUILD)/tests/order_mpich: tests/order/order_mpich.c tests/order/polite_ucx.c tests/order/order.c tests/order/calls.c $(INTERNAL)
	@mkdir -p $(@D)
	$(call short,LD,$@)$(MPICHCC) $(STATUSES) $(CFLAGS) -Itests -Wl,--export-dynamic-symbol=ucp_tag_send_nbx,--export-dynamic-symbol=ucp_tag_recv_nbx \
	    $(POLITE) -o $@ $^ $(LDLIBS) -ldl
# The same for Open MPI, whose collectives send through a table of functions that a program can change.
ORDERS  += $(if $(SANITIZE),,$(if $(filter %/collsim-mpi,$(BACKENDS)),$(BUILD)/tests/order_ompi))
$(BUILD)/tests/order_ompi: tests/order/order_ompi.c tests/order/order.c $(filter-out %/mpi_main.o,$(call backend,mpi,host_mpi)) $(INTERNAL)
	@mkdir -p $(@D)
	$(call short,LD,$@)$(MPICC) $(CFLAGS) -Itests -o $@ $(filter %.c %.o,$^) $(INTERNAL) $(LDLIBS) -ldl
# Holds what `collsim rules check` says against what Open MPI does. The functions that it exports take the place of the
# library's.
RULES    = $(if $(SANITIZE),,$(if $(filter %/collsim-mpi,$(BACKENDS)),$(if $(filter x86_64,$(shell uname -m)),$(BUILD)/tests/rules_ompi)))
$(BUILD)/tests/rules_ompi: tests/rules/rules_ompi.c tests/rules_files.c $(INTERNAL)
	@mkdir -p $(@D)
	$(call short,LD,$@)$(MPICC) $(STATUSES) $(CFLAGS) -Itests -Wl,--export-dynamic -o $@ $^ $(LDLIBS) -ldl
# The same for MPICH. The functions that it exports take the place of UCX's.
RULES   += $(if $(SANITIZE),,$(if $(filter %/collsim-mpich,$(BACKENDS)),$(BUILD)/tests/rules_mpich))
$(BUILD)/tests/rules_mpich: tests/rules/rules_mpich.c tests/rules_trees.c tests/order/calls.c tests/order/polite_ucx.c $(INTERNAL)
	@mkdir -p $(@D)
	$(call short,LD,$@)$(MPICHCC) $(STATUSES) $(CFLAGS) -Itests -Wl,--export-dynamic-symbol=ucp_tag_send_nbx $(POLITE) -o $@ $^ $(LDLIBS) -ldl
# Says what MPICH should run under a file of `collsim tune`, and calls all that MPICH has.
TUNED    = $(if $(ORDERS),$(if $(filter %/order_mpich,$(ORDERS)),$(BUILD)/tests/tune_list $(BUILD)/tests/tune_calls))
$(BUILD)/tests/tune_list: tests/rules/tune_list.c tests/selection_walk.c $(INTERNAL)
	@mkdir -p $(@D)
	$(call short,LD,$@)$(CC) $(CFLAGS) -Itests -o $@ $^ $(LDLIBS)
$(BUILD)/tests/tune_calls: tests/rules/tune_calls.c tests/order/polite_ucx.c
	@mkdir -p $(@D)
	$(call short,LD,$@)$(MPICHCC) $(STATUSES) $(CFLAGS) $(POLITE) -o $@ $^ -ldl
.PHONY: rules-real
rules-real: $(RULES) $(ORDERS) $(TUNED) $(BUILD)/collsim
	@tests/rules/ompi.sh
	@tests/rules/mpich.sh
	@tests/rules/tune.sh
	@tests/rules/tune_mpich.sh
# Says what Open MPI runs by default. The functions that it exports take the place of the library's.
DECIDED  = $(if $(SANITIZE),,$(if $(filter %/collsim-mpi,$(BACKENDS)),$(if $(filter x86_64,$(shell uname -m)),$(BUILD)/tests/decisions_ompi)))
$(BUILD)/tests/decisions_ompi: tests/order/decisions_ompi.c tests/order/calls.c $(INTERNAL)
	@mkdir -p $(@D)
	$(call short,LD,$@)$(MPICC) $(STATUSES) $(CFLAGS) -Itests -Wl,--export-dynamic -o $@ $^ $(LDLIBS) -ldl
# Holds what the program says that libraries run by default against what they run.
.PHONY: decisions-real
decisions-real: $(DECIDED) $(ORDERS) $(BUILD)/collsim $(BUILD)/tests/test_decide
	@tests/order/decisions.sh
.PHONY: aliases
aliases: $(ORDERS)
	@tests/order/mpich.sh
	@tests/order/ompi.sh
	@tests/order/ompi_later.sh

$(BUILD)/tests/test_html: $(filter $(BUILD)/cli/out/%,$(OBJECTS))
# Test programs share a library of what they test. To link each one with the archive takes four times as long.
TESTED = $(BUILD)/tests/libtested.so
$(TESTED): $(INTERNAL) | folders
	$(call short,LD,$@)$(CC) $(CFLAGS) $(GOLD) -shared -Wl,-soname,$(@F) -Wl,-Bsymbolic -Wl,--whole-archive $< -Wl,--no-whole-archive -o $@ $(LIBS) -ldl
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(HELP_OBJ) $(TESTED)
	$(call short,LD,$@)$(CC) $(CFLAGS) $(GOLD) -Wl,-rpath,'$$ORIGIN' -o $@ $^ $(LDLIBS)
$(BUILD)/%.o: %.c Makefile | folders
	$(call short,CC,$<)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<
# The headers of tests/ are beside its sources, not beside a unit.
$(BUILD)/tests/unit_%.o: private CFLAGS += -Itests
# A name within a function may be that of another function in what the other sources of a unit include.
$(BUILD)/%.o: $(BUILD)/%.c Makefile | folders
	$(call short,CC,$<)$(CC) $(CFLAGS) -Wno-shadow -MMD -MP -c -o $@ $<
# One command makes the folders of all objects and of the tests that passed, those that are missing. To start one for each
# object takes as long as to compile fifty sources.
FOLDERS  = $(sort $(dir $(call obj,$(filter %.c,$(SOURCES)))) $(addprefix $(BUILD)/,mpi mpich smpi) $(PASSED) $(call drawn) $(call drawn,.sh))
LACKING  = $(filter-out $(wildcard $(FOLDERS)),$(FOLDERS))
.PHONY: folders
folders:
	$(if $(LACKING),@mkdir -p $(LACKING))
.SECONDARY:
# A program that was not installed finds its data in this tree. A package names the folder of its own data instead.
TREE = $(CURDIR)
IN_TREE = -DCOLLSIM_TREE='"$(TREE)"'
$(BUILD)/sim/base/%.o: private CFLAGS += $(IN_TREE)

# `make install PREFIX=.. DESTDIR=..`. No path of an installed file is compiled in, so another PREFIX takes no new build:
# the program looks beside itself (sim/base/share.h). INSTALL_PROGRAMS and INSTALL_FILES list what is installed, as
# SOURCE:TARGET.
PREFIX  = /usr/local
LIBDIR  = $(PREFIX)/lib
INCLUDE = $(PREFIX)/include/collsim
PYTHON  = $(PREFIX)/lib/python3/dist-packages
DESTDIR =
SHARE   = $(PREFIX)/share/collsim
DOC     = $(PREFIX)/share/doc/collsim
ZSH     = $(PREFIX)/share/zsh/site-functions
put     = $(foreach f,$(2),$f:$(1)/$(notdir $f))
data    = $(foreach d,$(1),$(call put,$(SHARE)/$d,$(wildcard $(patsubst %,$d/%,*.ini *.hosts *.gp *.csv *.c README.md))))
# What README and docs/ link to, in folders as here, so that their links lead somewhere.
DOCS    = README.md LICENSE CITATION.cff $(wildcard docs/*.md docs/examples/* plots/*.svg experiments/plugins/*) \
          experiments/claims/README.md algos/coll.h algos/registry/entry.h
INSTALL_PROGRAMS = \
    $(call put,$(PREFIX)/bin,$(BUILD)/collsim) \
    $(call put,$(PREFIX)/libexec/collsim,$(wildcard $(BUILD)/collsim-explore $(foreach b,$(ALL_BACKENDS),$(BUILD)/collsim-$(firstword $(call words_of,$b)))))
INSTALL_FILES = \
    $(call data,platforms plots decisions $(patsubst %,experiments/%,claims names choices sweeps profiles plugins)) \
    $(foreach f,$(DOCS),$f:$(DOC)/$f) \
    $(call put,$(PREFIX)/share/man/man1,$(wildcard $(BUILD)/man/*.1)) \
    $(call put,$(PREFIX)/share/man/man5,$(wildcard $(BUILD)/man/*.5)) \
    install/collsim.bash:$(PREFIX)/share/bash-completion/completions/collsim \
    install/collsim.zsh:$(ZSH)/_collsim \
    $(call put,$(LIBDIR),$(BUILD)/libcollsim.a $(BUILD)/libcollsim.so.$(VERSION)) \
    $(foreach f,$(PC),sim/library/$f.in:$(LIBDIR)/pkgconfig/$f) \
    $(call put,$(PYTHON)/collsim,$(wildcard sim/library/python/collsim/*.py) sim/library/python/collsim/py.typed) \
    $(call put,$(INCLUDE),sim/library/collsim.h) $(foreach h,$(PUBLIC_HEADERS),algos/$h:$(INCLUDE)/$h)
# Links to the library, beside it.
INSTALL_LINKS = $(LIBDIR)/libcollsim.so.$(ABI) $(LIBDIR)/libcollsim.so
# Descriptions for pkg-config. They name folders of the installation, which are filled in where they are installed, so that
# installations at the same time do not meet. A folder below PREFIX is named from the folder of the description (pcfiledir), so
# that the installation can be moved, unless the description itself is not below PREFIX.
PC      = collsim.pc collsim-static.pc
below   = $(filter $(abspath $(PREFIX))/%,$(abspath $(1)) $(abspath $(1))/.)
from_pc = $(if $(and $(call below,$(LIBDIR)),$(call below,$(1))),$${pcfiledir}/$(shell realpath -ms --relative-to='$(LIBDIR)/pkgconfig' '$(or $(1),/)'),$(1))
# Lists all installed files, this one too, and the folders that were made for them, for `make uninstall`.
INSTALLED = $(DESTDIR)$(SHARE)/installed.txt
TARGETS   = $(INSTALL_LINKS) $(SHARE)/installed.txt $(foreach f,$(INSTALL_PROGRAMS) $(INSTALL_FILES),$(lastword $(call words_of,$f)))

.PHONY: install install-files installed-files uninstall dist man
install: all man
	@$(MAKE) --no-print-directory -s install-files
	@echo 'collsim is installed: $(DESTDIR)$(PREFIX)/bin/collsim'
# Installs what is built. The list keeps what earlier installations made. One command installs files that follow each
# other, keep their names and go to one folder, because starting a process takes longer than copying a file.
install-files:
	@set -e; list=$$(mktemp); trap 'rm -f "$$list"' EXIT; printf '%s\n' $(TARGETS) >"$$list"; \
	for folder in $(sort $(dir $(TARGETS))); do \
	    while [ "$$folder" != / ] && [ ! -d "$(DESTDIR)$$folder" ]; do \
	        echo "$$folder" >>"$$list"; above=$${folder%/*/}/; [ "$$above" != "$$folder/" ] || break; folder=$$above; done; done; \
	send() { [ -z "$$files" ] || install -D -m $$mode -t "$(DESTDIR)$$folder" $$files; files=; }; \
	put() { for f; do from=$${f%%:*} to=$${f#*:}; \
	    if [ "$${from##*/}" != "$${to##*/}" ]; then install -D -m $$mode "$$from" "$(DESTDIR)$$to"; continue; fi; \
	    [ "$$folder" = "$${to%/*}/" ] || send; folder=$${to%/*}/ files="$$files $$from"; done; send; }; \
	files=; mode=755; put $(INSTALL_PROGRAMS); mode=644; put $(INSTALL_FILES); \
	sed -i 's|@PREFIX@|$(call from_pc,$(PREFIX))|; s|@LIBDIR@|$(call from_pc,$(LIBDIR))|; s|@INCLUDE@|$(call from_pc,$(INCLUDE))|; s|@VERSION@|$(VERSION)|' \
	    $(foreach f,$(PC),"$(DESTDIR)$(LIBDIR)/pkgconfig/$f"); \
	for link in $(INSTALL_LINKS); do ln -sf libcollsim.so.$(VERSION) "$(DESTDIR)$$link"; done; \
	touch '$(INSTALLED)'; LC_ALL=C sort -u "$$list" '$(INSTALLED)' -o '$(INSTALLED)'
installed-files:
	@printf '%s\n' $(TARGETS)
# Removes what was installed, with what Python compiled of it, and the folders that were made, if they are empty then.
uninstall:
	@[ -f '$(INSTALLED)' ] || { echo 'collsim is not installed there: $(INSTALLED) is missing; allowed: the PREFIX and DESTDIR of make install' >&2; exit 2; }
	@LC_ALL=C sort -r '$(INSTALLED)' | while IFS= read -r file; do \
	    case $$file in */) rmdir "$(DESTDIR)$$file" 2>/dev/null || : ;; *) rm -f "$(DESTDIR)$$file" ;; esac; \
	    case $$file in *.py) rm -rf "$(DESTDIR)$${file%/*}/__pycache__" ;; esac; done

# The pages of the manual, made of the tables that --help is made of, and of docs/FORMATS.md.
man: $(BUILD)/man/collsim-formats.5
$(BUILD)/man/collsim-formats.5: $(BUILD)/collsim install/man.awk docs/FORMATS.md
	@rm -rf $(@D) && mkdir -p $(@D)
	@for page in $$($(BUILD)/collsim man); do $(BUILD)/collsim man $$page >$(@D)/$$page.1 || exit 1; done
	@awk -v name=collsim-formats -v section=5 -v about='the CSV, JSON and machine files of collsim' -v version=$(VERSION) \
	    -f install/man.awk docs/FORMATS.md >$@.part && mv $@.part $@

# Makes $(BUILD)/collsim-VERSION.tar.gz of the last commit; in a tree without git, of all its files but what was built.
TARBALL = $(abspath $(BUILD))/collsim-$(VERSION).tar.gz
dist:
	@mkdir -p $(BUILD)
	@if git rev-parse HEAD >/dev/null 2>&1; then git archive --format=tar.gz --prefix=collsim-$(VERSION)/ -o '$(TARBALL)' HEAD; \
	else tar --exclude='./$(BUILD)' --exclude=./build --exclude=./results --exclude-vcs --transform='s,^[.],collsim-$(VERSION),' -czf '$(TARBALL)' .; fi
	@echo 'wrote $(TARBALL)'

# Makes the Debian packages, in $(BUILD)/deb. dpkg-buildpackage wants the folder debian/ at the top of the sources; ours
# is install/debian, so this target unpacks the tarball of `make dist` and copies the folder to its top.
.PHONY: deb
deb: dist
	$(call install,$(COMPILE) $(TRY) $(MPI) $(DEBIAN))
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb && tar -C $(BUILD)/deb -xzf '$(TARBALL)'
	@cp '$(TARBALL)' $(BUILD)/deb/collsim_$(VERSION).orig.tar.gz
	@cp -r $(BUILD)/deb/collsim-$(VERSION)/install/debian $(BUILD)/deb/collsim-$(VERSION)
	@cd $(BUILD)/deb/collsim-$(VERSION) && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc -b
	@rm -rf $(BUILD)/deb/collsim-$(VERSION)
	@echo 'The packages:' && ls $(BUILD)/deb/*.deb

# The fuzz harnesses. libFuzzer wants one program for each, with the same entry point (FUZZING). test_fuzz replays their
# corpora in one program, where each entry point has a name of its own.
FUZZERS  = $(patsubst tests/fuzz/%.c,%,$(FUZZ_SRC))
HARNESSES = -DHARNESSES='$(patsubst %,X(%),$(FUZZERS))'
FUZZED   = $(HELP_OBJ) $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJ)) $(INTERNAL)
$(BUILD)/tests/fuzz/%.o: private CFLAGS += -Itests $(if $(FUZZING),-DFUZZING)
$(BUILD)/tests/test_fuzz.o: private CFLAGS += $(HARNESSES)
$(BUILD)/tests/test_fuzz: $(BUILD)/tests/test_fuzz.o $(FUZZ_OBJ) $(FUZZED)
	$(call short,LD,$@)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/tests/test_labels: $(BUILD)/tests/test_labels.o $(FUZZED)
	$(call short,LD,$@)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/%.o $(FUZZED)
	$(call short,LD,$@)$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)
# To read what each object includes takes half a second, which targets that compile nothing need not wait for.
ifneq ($(COMPILING),)
-include $(shell find $(addprefix $(BUILD)/,algos cli mpi mpich sim smpi tests) -name '*.d' 2>/dev/null)
endif

# The tests are GLib test programs and shell scripts that run the built program. All write TAP. `make check` runs each once,
# on samples that CHECK_SEED draws, by default the day's (tests/sample.h): those below as users have the program, and all
# others under sanitizers. `make check-all` runs everything both ways, without samples.
# Test programs that run without sanitizers: they take long, or start MPI or the built program.
OPTIMISED = bounds calibrate calibrate_sets contents convoy crossover even fit form gears goal golden graph groups_cut han_reader heads launch level_bounds levels \
            loggops_few loggops_levels mapping measured measured_gears mpi mutants network network_costs optimum parts path_bound prefix_time registry rules_trees \
            selection_tree shared simgrid_twins stable told totals trace tree_time tries tune tune_header tune_pair turns two_levels verdicts
# Scripts that run under sanitizers: they give the parsers of files and of the command line what is wrong.
UNSOUND   = goal_algorithm learn logs map matrix platform_measured rules suggestions typed validate
CHECK_SEED := $(or $(CHECK_SEED),$(shell date -u +%Y%m%d))
export CHECK_SEED CHECK_ALL
program  = $(patsubst %,$(BUILD)/tests/test_%,$(1))
script   = $(patsubst %,tests/test_%.sh,$(1))
SCRIPTS  = $(wildcard tests/test_*.sh)
RUN      = $(if $(CHECK_ALL),$(TESTS) $(SCRIPTS),$(if $(SANITIZE),\
               $(filter-out $(call program,$(OPTIMISED)),$(TESTS)) $(call script,$(UNSOUND)),\
               $(call program,$(OPTIMISED)) $(filter-out $(call script,$(UNSOUND)),$(SCRIPTS))))
# The longest begin first, so that none of them runs alone at the end.
LONGEST  = $(call program,gears contents verdicts mpi mutants simgrid_twins) \
           $(call script,explore audit python install calibrate measure tune plugins backends ch4_nodes contest agree cli) \
           $(call program,calibrate_sets library shared level_bounds levels two_levels platform)
# A test that passed leaves a file, and runs again if something that it uses is newer: the program that it is; the data; for
# a script all that scripts read, and the list of what it runs (tests/uses.pl). A script of UNSOUND needs no more than the
# program. What a test draws depends on the seed, or on CHECK_ALL, so each of these has a file; a test that draws nothing has
# one.
PASSED   = $(BUILD)/passed
DRAWING := $(notdir $(basename $(shell grep -lE 'sample_(all|takes|of|points|seed)' tests/test_*.c))) \
           $(notdir $(shell grep -lE '[$$].sampled |\<takes ([$$]|[0-9]+ [0-9])|CHECK_(ALL|SEED)' tests/test_*.sh))
drawn    = $(PASSED)/$(if $(and $(CHECK_ALL),$(if $(SANITIZE),$(filter %.sh,$(1)),yes)),all-)$(CHECK_SEED)
passed   = $(foreach t,$(notdir $(1)),$(if $(filter $t,$(DRAWING)),$(call drawn,$t),$(PASSED))/$t)
DATA     = $(wildcard platforms/* decisions/* plots/* experiments/* experiments/*/* tests/golden/* tests/rules/* tests/order/* \
               tests/fuzz/corpus/*/* tests/run.sh)
READ     = $(wildcard README.md docs/* docs/examples/* install/* install/*/* tests/*.sh tests/*.p[ly] tests/mutations/* \
               sim/library/*.in sim/library/python/*/*)
BESIDE   = SANITIZED='$(if $(SANITIZE),1)' COLLSIM='$(abspath $(BUILD)/collsim)'
.PHONY: test
# What scripts wait for is made first, because most of the longest tests are scripts.
test: $(if $(filter-out $(if $(SANITIZE),$(call script,$(UNSOUND))),$(filter %.sh,$(RUN))),$(BUILD)/uses.done) \
      $(call passed,$(filter $(RUN),$(LONGEST)) $(filter-out $(LONGEST),$(RUN)))
	@awk '/^ok / { n++ } END { printf "All tests successful.\nFiles=%d, Tests=%d%s\nResult: PASS\n", ARGC - 1, n, "$(if $(SANITIZE), (sanitized))" }' $(patsubst %,%.log,$(filter-out %.done,$^))
define run_tests
$(1)/test_%: $(BUILD)/tests/test_% $(DATA) | folders
	@$(BESIDE) tests/run.sh $$@ $$<
$(1)/test_%.sh: tests/test_%.sh $(BUILD)/uses/test_%.sh $(DATA) $(READ) | folders
	@$(BESIDE) tests/run.sh $$@ $$<
endef
$(foreach d,$(sort $(PASSED) $(call drawn) $(call drawn,.sh)),$(eval $(call run_tests,$d)))
STARTED  = $(if $(and $(SANITIZE),$(if $(CHECK_ALL),,yes)),,$(BUILD)/libcollsim.so $(BUILD)/libcollsim.a $(BACKENDS) $(EXPLORE) $(WRONG) $(ORDERS))
$(BUILD)/uses/%.sh: $(BUILD)/uses.done
	@:
$(BUILD)/uses.done: $(BUILD)/collsim $(STARTED) $(DATA) $(READ) Makefile
	@tests/uses.pl $(BUILD) $(STARTED) && touch $@
$(call passed,$(filter-out $(if $(SANITIZE),$(call script,$(UNSOUND))),$(SCRIPTS))): | $(BUILD)/man/collsim-formats.5
# What else a test uses: backends, the sources, test programs.
$(call passed,$(call program,launch mpi)): $(BACKENDS) $(WRONG)
$(call passed,$(call script,exports includes names)): $(SOURCES) Makefile
$(call passed,test_check_one.sh): $(call program,heads registry contents mutants gears shared form)

# Proves one algorithm in seconds: make check-one ALGO=bcast/binomial. `make check` proves all of them on samples.
.PHONY: check-one
check-one:
	$(call install,$(COMPILE))
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(BUILD)/collsim $(patsubst %,$(BUILD)/tests/test_%,heads registry contents mutants gears shared form)
	@COLLSIM=$(BUILD)/collsim tests/check_one.sh '$(ALGO)'

# Runs every algorithm on real data with every root, size, operation, kind of counts, size of nodes and parameter. The
# tests run a random part of these.
.PHONY: verify
verify:
	$(call install,$(COMPILE) $(TRY) $(MPI))
	@$(MAKE) --no-print-directory -s -j$(JOBS) verified
verified: all $(BUILD)/tests/test_mpi $(WRONG)
	@CHECK_ALL=1 COLLSIM=$(abspath $(BUILD)/collsim) prove -v --exec '' $(BUILD)/tests/test_mpi :: -m thorough -k

# Kills a sweep at KILLS random moments, and sees that it loses nothing and doubles nothing. test_faults does ten.
KILLS = 100
.PHONY: kills
kills: $(BUILD)/collsim
	@COLLSIM=$(BUILD)/collsim tests/kills.sh $(KILLS)

# The targets below first install the packages that they need, on Debian and systems like it; elsewhere they say which.
COMPILE = gcc libc6-dev pkg-config libglib2.0-dev
DRAW    = gnuplot-nox fonts-dejavu-core
TRY     = perl
PAGES   = cmark-gfm
SHELLS  = zsh
LIVE    = libmicrohttpd-dev
DEBIAN  = $(LIVE) build-essential debhelper dh-python fakeroot python3
MPI     = openmpi-bin libopenmpi-dev mpich libmpich-dev simgrid libsimgrid-dev
LINT    = clang clang-format clang-tidy cppcheck

# $(call install,PACKAGES): installs those that are missing, or says which are.
install = @install/packages.sh $(1)
# $(call begin,TARGETS): makes targets that need COMPILE alone, while other packages are installed.
begin   = --while '$(MAKE) --no-print-directory -s -k -j$(JOBS) $(1)'

.PHONY: demo check check-all audit bench lint readme golden mutate clean help
demo:
	$(call install,$(call begin,$(BUILD)/collsim $(BUILD)/libcollsim.so $(BUILD)/libcollsim.a) $(COMPILE) $(DRAW) $(LIVE))
	@$(MAKE) --no-print-directory -s -j$(JOBS) all
	@COLLSIM=$(BUILD)/collsim experiments/demo.sh

# One make runs both kinds of tests, so that the ends of one leave no core idle. It runs one test more than there are cores,
# because some wait for a while.
check check-all: JOBS := $(shell expr $(JOBS) + 1)
CHECKING = $(COMPILE) $(DRAW) $(TRY) $(PAGES) $(SHELLS) $(MPI) $(LIVE)
check:
	$(call install,$(call begin,begun begun-sanitized) $(CHECKING))
	@echo 'The seed of the samples is $(CHECK_SEED). This draws the same: make check CHECK_SEED=$(CHECK_SEED)'
	@$(MAKE) --no-print-directory -s -k -j$(JOBS) checked-plain checked-sanitized
check-all:
	$(call install,$(CHECKING))
	@echo 'The seed of what is drawn is $(CHECK_SEED). This draws the same: make check-all CHECK_SEED=$(CHECK_SEED)'
	@$(MAKE) --no-print-directory -s -k -j$(JOBS) checked-plain checked-sanitized CHECK_ALL=1
.PHONY: checked-plain checked-sanitized begun begun-sanitized
begun: $(BUILD)/collsim $(filter $(TESTS),$(RUN))
begun-sanitized:
	@$(MAKE) --no-print-directory -s -k begun $(SANITIZED)
checked-plain:
	@$(MAKE) --no-print-directory -s test

SANITIZER = -fsanitize=address,undefined -fno-sanitize-recover=all $(if $(CHECK_ALL),,$(FEWER))
# A small quarantine still finds memory that is used after it was freed, and saves a fifth of the time of the tests. To
# keep four frames of who allocated a block in place of thirty saves a twentieth, and to compile with line numbers only
# (-g1) a quarter of the time of the build.
# `make check` leaves three checks to check-all that stand before each access: that a pointer is aligned, that it is not NULL,
# which ends a program anyway, and that its sum with a number does not wrap around, which would lead to memory that is not
# the program's. Without the first two objects are half as large, and compiled in five sixths of the time; without the third
# they are again half as large, and compiled in four fifths.
FEWER = -fno-sanitize=null,alignment,pointer-overflow
# check-all compiles each source by itself there, so that one that does not include what it uses is found.
SANITIZED = BUILD=$(BUILD)/sanitized$(if $(CHECK_ALL),-all) SANITIZE='$(SANITIZER)' LINK='$(LINK) $(GOLD)' $(if $(CHECK_ALL),UNIT=)
checked-sanitized:
	@ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=4 $(MAKE) --no-print-directory -s test $(SANITIZED)

# Looks for inputs that break a parser: make fuzz, or make fuzz FUZZ="csv goal" FUZZ_S=300. The last line for each
# harness has the number of inputs. What it finds is in $(BUILD)/fuzz, and the inputs that reach new code are kept there
# for the next time; tests/fuzz/corpus has those that test_fuzz replays.
FUZZ   = $(FUZZERS)
FUZZ_S = 60
# Debian's clang only recommends the package that has libFuzzer.
LIBFUZZER = $(if $(wildcard $(shell clang --print-resource-dir 2>/dev/null)/lib/linux/libclang_rt.fuzzer*),,libclang-rt-dev)
.PHONY: fuzz
fuzz:
	$(call install,$(COMPILE) clang $(LIBFUZZER))
	@$(MAKE) --no-print-directory -s -j$(JOBS) FUZZING=1 CC=clang BUILD=$(BUILD)/fuzz OPT=-O1 SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' $(FUZZ:%=$(BUILD)/fuzz/fuzz-%)
	@tests/fuzz.sh $(BUILD)/fuzz $(FUZZ_S) $(FUZZ)

# Judges every claim of the sources and writes the report.
audit:
	$(call install,$(COMPILE) $(DRAW))
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(BUILD)/collsim
	@$(BUILD)/collsim audit --report $(BUILD)/audit
	@echo 'The report is $(BUILD)/audit/report.html, and as Markdown $(BUILD)/audit/report.md.'

# Runs the experiments of the documents and ours, and writes an index of what they show. One may take LIMIT seconds.
LIMIT = 300
.PHONY: experiments
experiments:
	$(call install,$(COMPILE) $(DRAW) $(PAGES) $(MPI))
	@$(MAKE) --no-print-directory -s -j$(JOBS) all
	@COLLSIM=$(BUILD)/collsim LIMIT=$(LIMIT) experiments/all.sh

# Holds predictions against measurements of other people, and writes docs/FIDELITY.md's tables and plots/fidelity.svg.
.PHONY: validate
validate:
	$(call install,$(COMPILE) $(DRAW))
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(BUILD)/collsim
	@COLLSIM=$(BUILD)/collsim experiments/validate.sh $(BUILD)/validate

# Says how often `collsim compare` recognises the algorithm of a curve that other people measured; docs/FIDELITY.md.
.PHONY: compare
compare:
	$(call install,$(COMPILE))
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(BUILD)/collsim
	@COLLSIM=$(BUILD)/collsim experiments/compare.sh $(BUILD)/compare

# Says where the families between few rounds and few bytes win; docs/ALGORITHMS.md.
.PHONY: families
families:
	$(call install,$(COMPILE))
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(BUILD)/collsim
	@COLLSIM=$(BUILD)/collsim experiments/families.sh $(BUILD)/families
	@COLLSIM=$(BUILD)/collsim experiments/families.sh --picture plots/envelope-lumi.svg

bench:
	$(call install,$(COMPILE) $(MPI) time)
	@$(MAKE) --no-print-directory -s -j$(JOBS) all
	@COLLSIM=$(BUILD)/collsim tests/bench.sh
	@COLLSIM=$(BUILD)/collsim tests/bench_registry.sh
	@COLLSIM=$(BUILD)/collsim tests/bench_smpi.sh

# Each source has the options that some object has. What passed leaves a file, so that another run reads again only what has
# changed: clang-tidy a stamp for each source, which knows the headers that the source includes, and cppcheck a folder of its own.
WITH_MPI   = $(wildcard sim/run/mpi/*.c tests/mpi/*.c tests/order/*.c tests/rules/*.c)
WITH_MPICH = $(filter %_mpich.c %/tune_calls.c,$(WITH_MPI))
WITH_SMPI  = sim/run/mpi/host_smpi.c
WITH_HTTP  = $(wildcard cli/explore/*.c)
TIDY       = $(CFLAGS) -Itests $(IN_TREE) $(HARNESSES)
TIDIED     = $(BUILD)/tidy
tidied     = $(patsubst %.c,$(TIDIED)/%.tidy,$(1))
# Packages of libraries that a source includes beside GLib; each is asked once.
OF_MPI    = $(eval OF_MPI := $(shell $(MPICC) --showme:compile))$(OF_MPI)
OF_MPICH  = $(eval OF_MPICH := $(filter -I%,$(shell $(MPICHCC) -show)))$(OF_MPICH)
OF_HTTP   = $(eval OF_HTTP := $(shell pkg-config --cflags libmicrohttpd gio-2.0))$(OF_HTTP)
$(call tidied,$(filter-out $(WITH_MPICH) $(WITH_SMPI),$(WITH_MPI))): private BESIDE_GLIB = $(OF_MPI)
$(call tidied,$(WITH_MPICH)): private BESIDE_GLIB = $(OF_MPICH)
$(call tidied,$(WITH_SMPI)): private BESIDE_GLIB = -I/usr/include/smpi
$(call tidied,$(WITH_HTTP)): private BESIDE_GLIB = $(OF_HTTP)
$(TIDIED)/%.tidy: %.c .clang-tidy
	@mkdir -p $(@D)
	$(call short,TIDY,$<)clang-tidy --quiet $< -- $(TIDY) $(BESIDE_GLIB)
	@clang -MM -MP -MT $@ -MF $@.d $(TIDY) $(BESIDE_GLIB) $<
	@touch $@
.PHONY: tidied
tidied: $(call tidied,$(filter %.c,$(SOURCES)))
ifneq ($(filter tidied,$(MAKECMDGOALS)),)
-include $(shell find $(TIDIED) -name '*.d' 2>/dev/null)
endif
lint:
	$(call install,$(COMPILE) $(LINT) $(MPI) $(LIVE))
	clang-format --dry-run -Werror $(SOURCES)
	OMPI_CC=clang MPICH_CC=clang $(MAKE) --no-print-directory -s -j$(JOBS) UNIT= CC=clang BUILD=$(BUILD)/clang all $(patsubst $(BUILD)/%,$(BUILD)/clang/%,$(TESTS))
	@$(MAKE) --no-print-directory -s -k -j$(JOBS) tidied
	@mkdir -p $(BUILD)/cppcheck
	cppcheck --quiet -j$(JOBS) --cppcheck-build-dir=$(BUILD)/cppcheck --std=c11 --error-exitcode=1 --enable=warning,performance,portability \
	    --inline-suppr --library=gtk --suppress=missingIncludeSystem -Ialgos -Isim -Icli sim algos cli

# Updates the generated tables of README and docs/, and their pictures.
readme:
	$(call install,$(COMPILE) $(DRAW) $(TRY))
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(BUILD)/collsim $(BUILD)/libcollsim.so
	@COLLSIM=$(BUILD)/collsim tests/test_readme.sh --write
	@COLLSIM=$(BUILD)/collsim tests/test_formats.sh --write
	@COLLSIM=$(BUILD)/collsim tests/test_library.sh --write

# Lists anew the names that the library exports, after a change of what coll.h or collsim.h declare.
.PHONY: exports
exports:
	@tests/test_exports.sh --write

# Draws the rounds of every algorithm anew (tests/golden/rounds.txt).
golden:
	$(call install,$(COMPILE))
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(BUILD)/tests/test_rounds
	@$(BUILD)/tests/test_rounds --write

# Makes one slip after another in a copy of the sources, and says which of them no test notices.
mutate:
	$(call install,$(COMPILE) $(DRAW) $(TRY))
	@tests/mutate.sh

clean:
	rm -rf $(BUILD)

help:
	@echo 'make         builds $(BUILD)/collsim and the backends (V=1: prints the commands)'
	@echo 'make demo    predicts and draws allreduce and bcast on 586 nodes of 56 ranks'
	@echo 'make check   runs all tests on samples, some of them under sanitizers (CHECK_SEED=20261127: these samples)'
	@echo 'make check-all'
	@echo '             runs all tests without samples, and again under sanitizers'
	@echo 'make check-one ALGO=bcast/binomial'
	@echo '             proves one algorithm in seconds: contents, mutants, gears, formula'
	@echo 'make verify  runs every algorithm on Open MPI, MPICH and SMPI with all kinds of data (check: a part)'
	@echo 'make fuzz    looks for inputs that break a parser, FUZZ_S=60 seconds each (FUZZ="csv goal": only these)'
	@echo 'make audit   judges published cost formulas: $(BUILD)/audit/report.html'
	@echo 'make experiments'
	@echo '             runs the experiments of the five documents and ours: results/experiments/index.html'
	@echo 'make validate'
	@echo '             holds predictions against real measurements: docs/FIDELITY.md'
	@echo 'make compare counts the measured curves whose algorithm is recognised: docs/FIDELITY.md'
	@echo 'make families compares the best with what is the best without some families: docs/ALGORITHMS.md'
	@echo 'make bench   measures time and memory of the program and compares them with their bars'
	@echo 'make kills   kills a sweep at a hundred random moments, and sees that it loses nothing'
	@echo 'make lint    runs clang-format, clang, clang-tidy and cppcheck'
	@echo 'make install PREFIX=/usr/local'
	@echo '             installs the program, its data, manual and completion (docs/INSTALL.md); make uninstall'
	@echo 'make dist    makes a tarball of the sources: $(BUILD)/collsim-$(VERSION).tar.gz'
	@echo 'make deb     makes the Debian packages: $(BUILD)/deb/*.deb'
	@echo 'make readme  updates the generated tables of README and docs/, and the pictures'
	@echo 'make exports lists the names that the library exports'
	@echo 'make golden  draws the rounds of every algorithm anew, which a test compares'
	@echo 'make mutate  makes slips in a copy of the sources, one at a time, and lists those that no test notices'
	@echo 'make clean   removes $(BUILD)'
	@echo 'Targets that need more than make install missing packages first (Debian; on a terminal they ask before sudo).'
