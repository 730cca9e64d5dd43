#define _GNU_SOURCE // dladdr
#include "engine/plugin/plugin.h"
#include "base/ending.h"
#include "base/error.h"
#include "base/escape.h"
#include "engine/plugin/plugin_compile.h"
#include "registry/fault.h"
#include "api/blocks.h"
#include "registry/plugin.h"
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A layout that changes needs another COLL_ABI, or old libraries would be misread.
_Static_assert(COLL_ABI == 5, "write the sizes of the new interface here");
_Static_assert(sizeof(void *) != 8 || (sizeof(CollAlgorithm) == 976 && sizeof(Coll) == 288 &&
                                       sizeof(CollParams) == 96 && sizeof(Blocks) == 112 && N_COLLECTIVES == 16),
               "coll.h has changed: raise COLL_ABI in registry/plugin.h");

static GPtrArray *loaded; // Plugin *; the list of algorithms, which holds their entries, is global too

const GPtrArray *plugin_all(void)
{
    if (!loaded)
        loaded = g_ptr_array_new();
    return loaded;
}

// ---- Crashes --------------------------------------------------------------------------------------------------------

#ifndef __SANITIZE_ADDRESS__
static const struct {
    int number;
    const char *what;
} crashes[] = {
    {SIGSEGV, "an access outside of its arrays, or a recursion without end"},
    {SIGBUS, "an access outside of its arrays"},
    {SIGFPE, "a division by zero"},
    {SIGILL, "code that cannot be executed"},
    {SIGABRT, "an assertion that failed, or memory that was overwritten"},
};
static char *crash_lines[G_N_ELEMENTS(crashes)];

// Only async-signal-safe calls are allowed here.
static void crash(int number)
{
    const char *line = "";
    for (size_t i = 0; i < G_N_ELEMENTS(crashes); i++)
        if (crashes[i].number == number)
            line = crash_lines[i];
    ending_with(line, 1);
}

// Makes a crash end the program with one line, which says that a file's code was loaded, and with exit status 1. A
// stack that overflows needs another stack for the handler.
static void explain_crashes(const char *file)
{
    static char other_stack[1 << 16];
    g_autofree char *shown = escape_terminal(file);
    const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(crashes); i++) {
        char *const before = crash_lines[i];
        crash_lines[i] =
            g_strdup_printf("collsim: a crash, after the code of %s was loaded: %s\n", shown, crashes[i].what);
        g_free(before); // a handler may use the line at any time
        sigaction(crashes[i].number, &(struct sigaction){.sa_handler = crash, .sa_flags = SA_ONSTACK}, NULL);
    }
}
#else
static void explain_crashes(const char *file) // the sanitizer explains them itself
{
    (void)file;
}
#endif

// ---- Entries --------------------------------------------------------------------------------------------------------

// Returns FALSE and an error if the collective has an algorithm with one of the names of the plugin's entry i.
static gboolean check_names(const Plugin *plugin, int i, GError **error)
{
    const CollAlgorithm *a = plugin->entries[i];
    const char *file = plugin->file, *collective = collectives[a->collective].name;
    for (int k = 0; k < i; k++)
        if (plugin->entries[k]->collective == a->collective && strcmp(plugin->entries[k]->name, a->name) == 0)
            return bad_input(error, "%s: two entries are %s %s; allowed: a name for each", file, collective, a->name);
    if (algorithm_find(a->collective, a->name))
        return bad_input(error,
                         "%s: there is another algorithm %s %s; allowed: a name that `collsim list %s` does not have",
                         file, collective, a->name, collective);
    for (int k = 0; k < COLL_MAX_ALIASES && a->aliases[k]; k++) {
        const CollAlgorithm *other = algorithm_find(a->collective, a->aliases[k]);
        if (other)
            return bad_input(error, "%s: alias %s is one of %s %s; allowed: another alias", file, a->aliases[k],
                             collective, other->name);
    }
    return TRUE;
}

// Returns FALSE, an error that says which entry breaks a rule, and frees the fault, if there is one.
static gboolean judge(const char *file, const CollAlgorithm *a, int i, char *fault, GError **error)
{
    g_autofree char *told = fault;
    if (!told)
        return TRUE;
    return a->name && a->collective >= 0 && a->collective < N_COLLECTIVES
               ? bad_input(error, "%s: %s %s: %s", file, collectives[a->collective].name, a->name, told)
               : bad_input(error, "%s: entry %d: %s", file, i, told);
}

static gboolean add_entries(const Plugin *plugin, GError **error)
{
    if (!plugin->entries || !plugin->entries[0])
        return bad_input(error, "%s: COLL_PLUGIN has no entry; allowed: COLL_PLUGIN(&ENTRY, ..)", plugin->file);
    for (int i = 0; plugin->entries[i]; i++) {
        const CollAlgorithm *a = plugin->entries[i];
        if (!judge(plugin->file, a, i, fault_in_entry(a), error) || !check_names(plugin, i, error))
            return FALSE;
        algorithm_add(a);
    }
    for (int i = 0; plugin->entries[i]; i++)
        if (!judge(plugin->file, plugin->entries[i], i, fault_in_names(plugin->entries[i]), error))
            return FALSE;
    return TRUE;
}

// ---- Files ----------------------------------------------------------------------------------------------------------

// Puts the program's functions in sight of what it loads, where the program itself was loaded by dlopen, as SMPI does.
static void show_functions(void)
{
    Dl_info self;
    if (dladdr((const void *)&algorithms, &self) && self.dli_fname)
        dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

// Returns what follows "FILE: " in the loader's message.
static const char *loader_error(const char *library)
{
    const char *text = dlerror();
    const size_t n = strlen(library);
    if (!text)
        return "it cannot be loaded";
    return strncmp(text, library, n) == 0 && text[n] == ':' && text[n + 1] ? text + n + 2 : text;
}

static gboolean open_library(Plugin *plugin, GError **error)
{
    show_functions();
    explain_crashes(plugin->file); // a constructor runs while the library is loaded
    ending_blame(plugin->file);
    void *handle = dlopen(plugin->library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return bad_input(error, "%s: %s; allowed: a C file that is complete, or a shared library made of one",
                         plugin->file, loader_error(plugin->library));
    const CollPlugin *table = dlsym(handle, "coll_plugin");
    if (!table)
        return bad_input(error, "%s: it has no algorithms; allowed: a file that ends with COLL_PLUGIN(&ENTRY, ..)",
                         plugin->file);
    if (table->abi != COLL_ABI)
        return bad_input(error,
                         "%s: it was compiled with COLL_ABI %d, and this program has %d; allowed: the file compiled "
                         "again with this program's coll.h",
                         plugin->file, table->abi, COLL_ABI);
    plugin->entries = table->entries;
    return add_entries(plugin, error);
}

// Returns FALSE and an error unless this is a file with a suffix that says what it is.
static gboolean check_file(const char *file, GError **error)
{
    struct stat about;
    if (!g_str_has_suffix(file, ".c") && !g_str_has_suffix(file, ".so"))
        return bad_input(error, "%s is not a plugin; allowed: a file that ends in .c or .so", file);
    if (stat(file, &about) != 0 || access(file, R_OK) != 0)
        return bad_input(error, "%s: %s; allowed: a C file, or a shared library made of one", file, g_strerror(errno));
    return S_ISREG(about.st_mode) ||
           bad_input(error, "%s is not a file; allowed: a C file, or a shared library made of one", file);
}

static gboolean find_library(Plugin *plugin, GError **error)
{
    if (!check_file(plugin->file, error))
        return FALSE;
    if (g_str_has_suffix(plugin->file, ".c"))
        plugin->library = plugin_compile(plugin->file, error);
    else
        plugin->library = g_canonicalize_filename(plugin->file, NULL);
    return plugin->library != NULL;
}

const Plugin *plugin_load(const char *file, GError **error)
{
    struct stat a, b;
    for (guint i = 0; i < plugin_all()->len; i++) {
        const Plugin *plugin = g_ptr_array_index(loaded, i);
        if (strcmp(plugin->file, file) == 0 ||
            (stat(plugin->file, &a) == 0 && stat(file, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino))
            return plugin;
    }
    Plugin *plugin = g_new0(Plugin, 1);
    plugin->file = g_strdup(file);
    if (find_library(plugin, error) && open_library(plugin, error)) {
        g_ptr_array_add(loaded, plugin);
        return plugin;
    }
    g_free(plugin->file);
    g_free(plugin->library);
    g_free(plugin);
    return NULL;
}

void plugin_forget(void)
{
    for (guint i = 0; i < plugin_all()->len; i++) {
        Plugin *plugin = loaded->pdata[i];
        g_free(plugin->file);
        g_free(plugin->library);
        g_free(plugin);
    }
    g_ptr_array_set_size(loaded, 0);
}

char *plugin_checksum(const Plugin *plugin, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_autofree char *code = NULL;
    gsize length = 0;
    if (g_file_get_contents(plugin->library, &code, &length, &why))
        return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)code, length);
    bad_input(error, "%s; allowed: a readable file", why->message);
    return NULL;
}
