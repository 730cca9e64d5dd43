// Compiles a plugin's C file.
#pragma once
#include <glib.h>

// Returns the full path of the shared library made of the file; free with g_free. $CC is the compiler, by default gcc
// or cc, and base/share.h says where coll.h is. The library is removed when the program ends. Returns NULL and an error
// if it finds no compiler or no coll.h, or if the file does not compile. In that case, the error quotes the compiler's
// first one.
char *plugin_compile(const char *file, GError **error);
