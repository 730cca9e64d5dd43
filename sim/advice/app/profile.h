// Profiles: which collectives an application calls, how often, with which sizes and on how many ranks. They are read
// from a CSV, from mpiP's report, or from IPM's XML; the first line says which of them a file is.
//
// A profile counts the calls of one rank: where a profiler has counts of every rank, the mean over the ranks, rounded
// up. A time is what one rank spent in all of these calls, also the mean.
//
//     rows   | allreduce, 64 ranks, 1K, 1000 calls, 0.2 s | allreduce, 64 ranks, 64K, 10 calls, .. | bcast, ..
//     others | Send, 8000 calls, 0.4 s | Alltoallv, .., because mpiP has no sizes of it
#pragma once
#include "api/collective.h"
#include <glib.h>

typedef struct ProfileRow {
    Collective collective;
    int p, per_node; // 0 if the profile does not say it
    size_t m;        // in bytes, as -m takes it
    gboolean block;  // m is one rank's block although -m is the vector, which profile_complete makes of it
    size_t elem;     // bytes of an element; 0 if the profile does not say it
    gint64 calls;
    double time_s; // measured; NAN if the profile has no time
} ProfileRow;

// Calls that are not predicted.
typedef struct ProfileOther {
    char *name;      // as the profile has it: "Send", "MPI_Alltoallv"
    const char *why; // "not a collective"
    gint64 calls;
    double time_s; // measured; NAN if the profile has no time
} ProfileOther;

typedef struct Profile {
    char *name;          // of the file, for errors
    const char *format;  // "CSV", "mpiP" or "IPM"
    int ranks, per_node; // of the program; 0 if the profile does not say it, as a CSV never does
    double mpi_s;        // the time of a rank in all calls of MPI; NAN if the profile does not say it
    GArray *rows;        // of ProfileRow, each combination once, in the order of the file; at least one
    GArray *others;      // of ProfileOther, each name and reason once
    GPtrArray *notes;    // of char *: what was assumed, a sentence each
    GHashTable *known;   // the indices of rows and others
    GError *first;       // the first fault, which refuses the profile if it has nothing else; NULL for none
    guint faults;        // number of them
} Profile;

// Reads a profile from a file of UTF-8, or from standard input if `path` is "-", within the limits of base/limits.h.
// Rows that are malformed are passed over, and notes say so. Returns NULL and an error, "FILE:LINE: ..", if the file cannot
// be read, is not a profile, or has no collective that can be predicted. Free with profile_free.
Profile *profile_read(const char *path, GError **error);
// Does the same with len bytes of text; errors call the text `name`.
Profile *profile_parse(const char *text, size_t len, const char *name, GError **error);
// Returns a profile without rows, for a reader. Free with profile_free.
Profile *profile_new(const char *name);
void profile_free(Profile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Profile, profile_free)

// Fills in the ranks, nodes, vectors and elements that rows lack. Rows without ranks get p and per_node (0 for
// unknown). Elements are chosen by log_element_of: `elem` is --element, or 0; the usual element is 8 bytes in
// reductions, if the size is a multiple of it, and 1 byte in other collectives. Rows that become equal are added up.
// Returns FALSE and an error if a row still has no ranks, has ranks and `p` is not 0, if its vector is too long, or if
// its size is not a multiple of its element.
gboolean profile_complete(Profile *profile, int p, int per_node, size_t elem, GError **error);

// Return the ranks and the sizes of the rows of these collectives (which[i] of N_COLLECTIVES; NULL for all), each once,
// as -p and -m take them: "48,96x48", and "8,64K", or a range with all of them if there are more than 12. Barriers have
// no sizes; if there is nothing else, the size is 0. The profile must be complete. Free with g_free.
char *profile_ranks(const Profile *profile, const gboolean *which);
char *profile_sizes(const Profile *profile, const gboolean *which);

// ---- For the readers of the formats ---------------------------------------------------------------------------------

// Adds a row, or adds its calls and its time to an equal row. Returns FALSE and an error for line `line` if the sums
// are too large.
gboolean profile_add(Profile *profile, guint64 line, const ProfileRow *row, GError **error);
// Does the same with calls that are not predicted; `name` and `why` are not copied unless they are new.
gboolean profile_add_other(Profile *profile, guint64 line, const char *name, const char *why, gint64 calls,
                           double time_s, GError **error);
// Adds a note, a sentence without its full stop.
void profile_note(Profile *profile, const char *format, ...) G_GNUC_PRINTF(2, 3);
// Passes over a row because of an error "FILE:LINE: ..", which it takes over.
void profile_fault(Profile *profile, GError *fault);

// What a profiler says about calls of one function, summed over ranks.
typedef struct ProfileCall {
    char *name;       // "MPI_Allreduce" or "Allreduce"
    guint64 line;     // where it was read
    gint64 calls;     // of all ranks together
    double time_s;    // of all ranks together; NAN if it is not known
    double low, high; // the bytes of a call lie between these, as printed; both are NAN if the profiler has none
    gboolean mean;    // the calls have several sizes, and these are of the mean
    gboolean block;   // the bytes of a reduce_scatter are those of one rank's block
} ProfileCall;

// Returns an empty array of ProfileCall, which frees their names. Free with g_array_unref.
GArray *profile_calls_new(void);
// Sets the error "FILE:LINE: WHAT is 'WORD'; allowed: ALLOWED", and returns FALSE.
gboolean profile_bad(const Profile *profile, guint64 line, const char *what, const char *word, const char *allowed,
                     GError **error);
// Adds the calls of all ranks as rows and others: `tasks` is the number of ranks that were summed. Returns FALSE and an
// error if a size is too large.
gboolean profile_add_calls(Profile *profile, const GArray *calls, int tasks, GError **error);
// Returns why a function that collective_parse() does not know is not predicted; not to be freed.
const char *profile_why_not(const char *name);
// Reads a number as printf() writes it with %.Ng, N = digits, and sets the interval that is printed like this. A text
// with more digits is more exact. Returns FALSE if it is not a number of 0 or above.
gboolean profile_interval(const char *text, int digits, double *low, double *high);

// The formats. `is` returns TRUE if a line is the first one of such a file.
gboolean profile_csv_is(const char *line);
gboolean profile_csv_read(Profile *profile, const char *text, size_t len, GError **error);
gboolean profile_mpip_is(const char *line);
gboolean profile_mpip_read(Profile *profile, const char *text, size_t len, GError **error);
gboolean profile_ipm_is(const char *line);
gboolean profile_ipm_read(Profile *profile, const char *text, size_t len, GError **error);
// Returns the number of the line in which the banner of IPM begins, which may be anywhere in a program's output; 0 if
// there is none. Banners have times and numbers of calls, but no bytes, so that nothing can be predicted from them.
guint64 profile_ipm_banner(const char *text, size_t len);
