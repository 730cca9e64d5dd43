// Finds the files that the program comes with: machines, the gnuplot script, tables of libraries' decisions, claims.
//
// They lie in one folder that is laid out like the source tree (platforms/, plots/, decisions/, experiments/). It is
//
//     $COLLSIM_SHARE            if the environment has it
//     BIN/../share/collsim      BIN is the folder of the program, or of the library (libcollsim.so) that has this code
//     LIB/../../share/collsim   for a library in a folder of its architecture, such as /usr/lib/x86_64-linux-gnu
//     the source tree           in which the program was built
//     /usr/local/share/collsim and /usr/share/collsim
//
// and the first of these that exists. So an installed program needs no path that was compiled into it, and can be
// moved.
#pragma once
#include <glib.h>

typedef enum { SHARE_PLATFORMS, SHARE_PLOTS, SHARE_DECISIONS, SHARE_CLAIMS, N_SHARE_PARTS } SharePart;

// What a part is called: its folder, the variable of the environment that names another folder for it alone, and what
// it holds, in a sentence.
typedef struct SharePartInfo {
    const char *folder, *variable, *holds;
} SharePartInfo;
extern const SharePartInfo share_parts[N_SHARE_PARTS];

// How the program was installed. A program that was built but not installed, as in the folder build/ of its tree, has
// no files beside it.
typedef enum { SHARE_BUILT, SHARE_INSTALLED, SHARE_PACKAGED } ShareOrigin;

// Returns how the running program was installed: by `make install`, or by a package, for which the program was built
// with the folder of its installed files in place of the source tree.
ShareOrigin share_origin(void);

// Returns the folder of all parts, without looking into it. Free with g_free.
char *share_folder(void);

// Returns the path of a file of a part, or of the part's folder if `file` is NULL. The file need not exist. Free with
// g_free.
char *share_path(SharePart part, const char *file);

// Returns TRUE if a file, or folder, that share_path returned can be read. Otherwise returns FALSE and an error that
// says which one is missing, and what to do.
gboolean share_check(SharePart part, const char *path, GError **error);

// Returns the folder of coll.h, which algorithms in files of their own are compiled against: $COLLSIM_HEADERS,
// PREFIX/include/collsim of an installation in PREFIX, or algos/ of the source tree. Returns NULL and an error if
// coll.h is not there. Free with g_free.
char *share_headers(GError **error);
