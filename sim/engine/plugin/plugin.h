// Plugins: files with algorithms that are loaded at run time, from a C file or from a shared library made of one.
//
// A plugin is code. It runs with the rights of the user, like any program that the user starts. Only words of a command
// line lead here, never what a data file says.
#pragma once
#include "registry/registry.h"
#include <glib.h>

typedef struct Plugin {
    char *file;                          // as the user named it
    char *library;                       // the full path of the shared library
    const CollAlgorithm *const *entries; // ended by NULL
} Plugin;

// Loads a file and adds its entries to the list of algorithms; a file that is loaded already, under any path, is only
// looked up. A C file is compiled first, into a folder that is removed when the program ends. Returns NULL and an error
// if the file is not a plugin of this interface, does not compile, or has an entry that breaks a rule
// (registry/fault.h) or whose name is taken; the list is then unfit for use. The plugin lives as long as the program,
// which must not have started a thread.
const Plugin *plugin_load(const char *file, GError **error);

// Forgets which files are loaded, whose entries algorithm_remove_added() must then remove: a C file that has changed since
// is compiled again. Their code stays in the program, which may point to it (schedule/variant.h), so a shared library that
// has changed at the same path is not seen.
void plugin_forget(void);

// Returns a checksum of the plugin's compiled code, which is equal for equal files that the same compiler has compiled.
// Free with g_free. Returns NULL and an error if the library cannot be read any more.
char *plugin_checksum(const Plugin *plugin, GError **error);

// Returns the plugins that are loaded (const Plugin *), in their order. A program that loads the same libraries in the
// same order has the same numbers of algorithms.
const GPtrArray *plugin_all(void);
