# collsim: `make demo` and `make check` install what is missing, build and run; `make` only builds. `make help` lists all.
CC       = gcc
BUILD    = build
OPT      = -O3
SANITIZE =
WARN     = -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-missing-field-initializers
CFLAGS   = -std=gnu11 $(OPT) -g $(WARN) -ffp-contract=off $(SANITIZE) -Ialgos -Isim -Icli \
           -DCOLLSIM_PLATFORMS='"$(CURDIR)/platforms"' -DCOLLSIM_PLOTS='"$(CURDIR)/plots"' $(shell pkg-config --cflags glib-2.0)
LDLIBS   = $(shell pkg-config --libs glib-2.0) -lm

LIB_SRC  = $(wildcard sim/*.c algos/*.c algos/*/*.c)
CLI_SRC  = $(wildcard cli/*.c)
HELP_SRC = $(filter-out $(wildcard tests/test_*.c),$(wildcard tests/*.c))
TESTS    = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
obj      = $(patsubst %.c,$(BUILD)/%.o,$(1))

.PHONY: all
all: $(BUILD)/collsim

$(BUILD)/collsim: $(call obj,$(CLI_SRC)) $(BUILD)/libcollsim.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/libcollsim.a: $(call obj,$(LIB_SRC))
	rm -f $@ && ar rcs $@ $^
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(call obj,$(HELP_SRC)) $(BUILD)/libcollsim.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# Tests are GLib test programs that speak TAP; test_*.sh drive the built program.
.PHONY: test
test: all $(TESTS)
	COLLSIM=$(abspath $(BUILD)/collsim) prove -j2 --exec '' $(TESTS) $(wildcard tests/test_*.sh)
