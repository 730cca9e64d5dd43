// Marks functions that every message of a gear needs. The compiler would not inline all of them by itself. Under
// sanitizers they would take most of the time of the build.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#define ALWAYS_INLINED
#else
#define ALWAYS_INLINED __attribute__((always_inline))
#endif
