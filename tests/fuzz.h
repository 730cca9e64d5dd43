// What the fuzz harnesses in tests/fuzz/ share. A harness is one file with libFuzzer's entry point; `make fuzz` runs it
// on inputs that libFuzzer makes up, and test_fuzz on the inputs in tests/fuzz/corpus/. It hands its input to a parser
// and, if the parser accepts it, to what uses the result. An input that must be cut into several texts has one a line.
#pragma once
#include "machine/platform/platform.h"
#include <stdint.h>

// The head of the function that takes an input, of `size` bytes at `data`, and returns 0. libFuzzer calls the one of its program
// by this name; in test_fuzz, which has all harnesses, each has a name of its own.
#ifdef FUZZING
#define FUZZ_NAME(harness) LLVMFuzzerTestOneInput
#else
#define FUZZ_NAME(harness) harness_##harness
#endif
#define FUZZ_HARNESS(harness)                                                                                          \
    int FUZZ_NAME(harness)(const uint8_t *data, size_t size);                                                          \
    int FUZZ_NAME(harness)(const uint8_t *data, size_t size)

// Prepares a harness; libFuzzer calls it once. Returns 0.
int LLVMFuzzerInitialize(int *argc, char ***argv);

// Asserts that a parser which returned `good` kept the rules of errors, and returns `good`: on success there is no
// error; on failure there is one of bad input, and its message is one line of UTF-8 without control characters. Clears
// the error.
gboolean fuzz_outcome(gboolean good, GError **error);

// Returns the first n lines of the input, and its rest as the last text, n + 1 in all; those that it does not have are
// "". A text ends at a \0. NULL-terminated; free with g_strfreev.
char **fuzz_lines(const uint8_t *data, size_t size, int n);

// Returns NULL for "", which stands for an option that is not given; otherwise the text itself.
static inline char *fuzz_given(char *text)
{
    return *text ? text : NULL;
}

// Returns the name of a file with this content, for parsers that open files. It is valid until the next call.
const char *fuzz_file(const void *data, size_t size);

// Returns a platform that has every figure. It is shared; do not free it.
const Platform *fuzz_platform(void);
