#define _GNU_SOURCE // dladdr
#include "base/share.h"
#include "base/error.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const SharePartInfo share_parts[N_SHARE_PARTS] = {
    [SHARE_PLATFORMS] = {"platforms", "COLLSIM_PLATFORMS", "The machines that --platform names, one .ini file each."},
    [SHARE_PLOTS] = {"plots", "COLLSIM_PLOTS", "The gnuplot script that draws pictures."},
    [SHARE_DECISIONS] = {"decisions", "COLLSIM_DECISIONS", "What MPI libraries run by default, as tables."},
    [SHARE_CLAIMS] = {"experiments/claims", "COLLSIM_CLAIMS", "The published claims that `collsim audit` judges."},
};

// Returns what a variable of the environment says; NULL if it is empty or not set.
static const char *given(const char *variable)
{
    const char *value = g_getenv(variable);
    return value && *value ? value : NULL;
}

// Returns FOLDER/UP/share/collsim if there is such a folder, otherwise NULL. Free with g_free.
static char *share_near(const char *file, const char *up)
{
    g_autofree char *folder = g_path_get_dirname(file);
    g_autofree char *path = g_build_filename(folder, up, "share", "collsim", NULL);
    g_autofree char *plain = realpath(path, NULL);
    return plain && g_file_test(plain, G_FILE_TEST_IS_DIR) ? g_strdup(plain) : NULL;
}

// Returns the folder beside the file that this code was loaded from, or beside the program; NULL if there is none. The
// library comes first: its program may be Python's, which lies beside another installation. Free with g_free.
static char *share_beside(void)
{
    Dl_info loaded = {NULL};
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    if (dladdr(share_parts, &loaded) && loaded.dli_fname && strstr(loaded.dli_fname, ".so")) {
        g_autofree char *library = realpath(loaded.dli_fname, NULL);
        char *found = library ? share_near(library, "..") : NULL;
        if (library && !found)
            found = share_near(library, "../..");
        if (found)
            return found;
    }
    return program ? share_near(program, "..") : NULL;
}

ShareOrigin share_origin(void)
{
    g_autofree char *beside = share_beside(), *tree = realpath(COLLSIM_TREE, NULL);
    return !beside ? SHARE_BUILT : g_strcmp0(beside, tree) == 0 ? SHARE_PACKAGED : SHARE_INSTALLED;
}

char *share_folder(void)
{
    const char *asked = given("COLLSIM_SHARE");
    if (asked)
        return g_strdup(asked);
    char *const beside = share_beside();
    if (beside)
        return beside;
    // A program that is linked with libcollsim.a may lie anywhere.
    const char *const folders[] = {COLLSIM_TREE, "/usr/local/share/collsim", "/usr/share/collsim"};
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++)
        if (g_file_test(folders[i], G_FILE_TEST_IS_DIR))
            return g_strdup(folders[i]);
    return g_strdup(COLLSIM_TREE);
}

char *share_path(SharePart part, const char *file)
{
    const char *asked = given(share_parts[part].variable);
    g_autofree char *share = asked ? NULL : share_folder();
    g_autofree char *folder = asked ? g_strdup(asked) : g_build_filename(share, share_parts[part].folder, NULL);
    return file ? g_build_filename(folder, file, NULL) : g_steal_pointer(&folder);
}

gboolean share_check(SharePart part, const char *path, GError **error)
{
    if (access(path, R_OK) == 0)
        return TRUE;
    const char *variable = share_parts[part].variable;
    if (given(variable))
        return bad_input(error, "%s: a file of collsim is missing; allowed: %s=FOLDER that has it", path, variable);
    return bad_input(error,
                     "%s: a file of collsim is missing; install collsim again, or set COLLSIM_SHARE=FOLDER that has %s",
                     path, share_parts[part].folder);
}

char *share_headers(GError **error)
{
    const char *asked = given("COLLSIM_HEADERS");
    g_autofree char *share = share_folder(), *installed = g_build_filename(share, "../../include/collsim", NULL);
    g_autofree char *folder = asked                                        ? g_strdup(asked)
                              : g_file_test(installed, G_FILE_TEST_IS_DIR) ? g_strdup(installed)
                                                                           : g_build_filename(share, "algos", NULL);
    g_autofree char *header = g_build_filename(folder, "coll.h", NULL);
    if (g_file_test(header, G_FILE_TEST_EXISTS))
        return g_steal_pointer(&folder);
    bad_input(error, "%s: there is no such file; allowed: COLLSIM_HEADERS=FOLDER, the folder that has coll.h", header);
    return NULL;
}
