#include "engine/plugin/plugin_compile.h"
#include "base/error.h"
#include "base/scratch.h"
#include "base/share.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static Scratch scratch; // of all files that were compiled; removed by an exit handler, which has no arguments
static int n_compiled;

static void remove_libraries(void)
{
    scratch_clear(&scratch);
}

// Returns the words of the compiler's name; NULL and an error if there is none. Free with g_strfreev.
static char **compiler(GError **error)
{
    const char *asked = g_getenv("CC");
    const char *const usual[] = {"gcc", "cc", "clang"};
    char **words = NULL;
    if (asked && *asked)
        return g_shell_parse_argv(asked, NULL, &words, NULL)
                   ? words
                   : (bad_input(error, "CC='%s' is not a command; allowed: a C compiler such as gcc", asked), NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(usual); i++) {
        g_autofree char *found = g_find_program_in_path(usual[i]);
        if (found)
            return g_strsplit(usual[i], " ", 1);
    }
    bad_input(error,
              "a plugin in C needs a compiler, and there is no gcc, cc or clang; allowed: CC=COMPILER, or a .so");
    return NULL;
}

// Returns where in the user's file the macro is written in which the compiler has found an error, as FILE:LINE; NULL if the
// error is in no macro. `after` is what the compiler says after the error. Free with g_free.
static char *macro_place(const char *after)
{
    g_autoptr(GRegex) note =
        g_regex_new("^(.*?:\\d+):(?:\\d+:)? note: in expansion of macro ", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    const char *const next = strstr(after, " error: ");
    g_autoptr(GMatchInfo) match = NULL;
    char *place = NULL;
    g_regex_match_full(note, after, next ? next - after : -1, 0, 0, &match, NULL);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) { // the last one is not in another macro
        g_free(place);
        place = g_match_info_fetch(match, 1);
    }
    return place;
}

// Returns the compiler's first error as FILE:LINE: TEXT. If none has this form, as when the linker finds the disk full,
// returns the first line that is not a warning. Free with g_free.
static char *first_error(const char *file, const char *compiler_name, const char *told)
{
    g_autoptr(GRegex) looks = g_regex_new("^(.*?:\\d+):(?:\\d+:)? (?:fatal )?error: (.*?)(?: \\[-W[^]]*\\])?$",
                                          G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (g_regex_match(looks, told, 0, &match)) {
        int end = 0;
        g_match_info_fetch_pos(match, 0, NULL, &end);
        g_autofree char *found = g_match_info_fetch(match, 1), *text = g_match_info_fetch(match, 2),
                        *macro = macro_place(told + end);
        const char *const where = macro ? macro : found;
        const char *hint = strstr(text, "incomplete") && strstr(text, "CollPoint")
                               ? "; allowed: a file that includes times/times.h"
                               : "";
        return g_strdup_printf("%s: %s%s", where, text, hint);
    }
    g_auto(GStrv) lines = g_strsplit(told, "\n", -1);
    char **line = lines;
    while (*line && (!**line || strstr(*line, "warning: ")))
        line++;
    return *line ? g_strdup_printf("%s: %s; allowed: a C file that %s compiles", file, *line, compiler_name)
                 : g_strdup_printf("%s: the compiler %s fails and does not say why; allowed: CC=COMPILER", file,
                                   compiler_name);
}

// Returns FALSE and an error if the compiler has written nothing although it says that all is well.
static gboolean check_written(const char *file, const char *compiler_name, const char *library, GError **error)
{
    struct stat about;
    return (stat(library, &about) == 0 && about.st_size > 0) ||
           bad_input(error, "%s: %s is not a C compiler, because it writes nothing; allowed: CC=COMPILER such as gcc",
                     file, compiler_name);
}

// Returns a name of the file that the compiler does not take for something else: an argument that begins with @ names a
// file of arguments, and one that begins with - is an option. gcc and clang pass the last part of the name on to
// themselves as an argument of its own, so a file whose last part begins with @ is included by one that has a plain
// name. Returns NULL and an error if the file cannot be included. Free with g_free.
static char *plain_name(const char *file, GError **error)
{
    g_autofree char *last = g_path_get_basename(file), *whole = g_canonicalize_filename(file, NULL), *path = NULL;
    if (*last != '@')
        return *file == '@' || *file == '-' ? g_strconcat("./", file, NULL) : g_strdup(file);
    if (strpbrk(whole, "\"\n"))
        return bad_input(error,
                         "%s: the compiler cannot include it; allowed: a name without @, or without \" and newlines",
                         file),
               NULL;
    g_autofree char *name = g_strdup_printf("plugin%d.c", n_compiled),
                    *text = g_strdup_printf("#include \"%s\"\n", whole);
    return scratch_write(&scratch, name, text, &path, error) ? g_steal_pointer(&path) : NULL;
}

static gboolean run_compiler(const char *file, const char *library, GError **error)
{
    g_autofree char *folder = share_headers(error);
    g_auto(GStrv) words = folder ? compiler(error) : NULL;
    g_autofree char *source = words ? plain_name(file, error) : NULL;
    if (!source)
        return FALSE;
    // Whole paths begin with /.
    g_autofree char *headers = g_canonicalize_filename(folder, NULL), *written = g_canonicalize_filename(library, NULL);
    g_autofree char *include = g_strconcat("-I", headers, NULL);
    // -Bsymbolic: an entry may have the C name of a built-in one, as a copy of a file has.
    const char *const rest[] = {"-std=gnu11",
                                "-O2",
                                "-fPIC",
                                "-shared",
                                "-ffp-contract=off",
                                "-pipe",
                                "-fno-diagnostics-color",
                                "-Werror=implicit-function-declaration",
                                "-Werror=incompatible-pointer-types",
                                "-Wl,-Bsymbolic",
                                include,
                                "-o",
                                written,
                                "-x",
                                "c",
                                source};
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    for (char **word = words; *word; word++)
        g_ptr_array_add(argv, *word);
    for (size_t i = 0; i < G_N_ELEMENTS(rest); i++)
        g_ptr_array_add(argv, (gpointer)(uintptr_t)rest[i]);
    g_ptr_array_add(argv, NULL);
    g_auto(GStrv) all = g_get_environ(), environment = g_environ_setenv(g_steal_pointer(&all), "LC_ALL", "C", TRUE);
    g_autofree char *told = NULL;
    g_autoptr(GError) why = NULL;
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)argv->pdata, environment, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                      NULL, NULL, &told, &status, &why))
        return bad_input(error, "%s; allowed: CC=COMPILER, a C compiler such as gcc", why->message);
    if (status == 0)
        return check_written(file, words[0], library, error);
    g_autofree char *first = first_error(file, words[0], told);
    return bad_input(error, "%s", first);
}

char *plugin_compile(const char *file, GError **error)
{
    g_autofree char *name = g_strdup_printf("plugin%d.so", n_compiled), *library = NULL;
    if (!scratch.folder) {
        if (!scratch_open(&scratch, error))
            return NULL;
        atexit(remove_libraries);
    }
    // The empty file is there before the compiler writes it, so that a signal removes it.
    if (!scratch_write(&scratch, name, "", &library, error) || !run_compiler(file, library, error))
        return NULL;
    n_compiled++;
    return g_steal_pointer(&library);
}
