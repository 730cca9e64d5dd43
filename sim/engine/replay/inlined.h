// Marks functions that every message of a gear needs. The compiler would not inline all of them by itself.
#pragma once

#define ALWAYS_INLINED __attribute__((always_inline))
