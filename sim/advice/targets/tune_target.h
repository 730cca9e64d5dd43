// Settings for libraries whose own choice is not in the data (libraries/targets/target.h): of Intel MPI the fastest ids
// by prediction, of any MPI the mock-ups of PGMPITuneLib that are faster than the call, and of NCCL the fastest
// measured pairs.
//
//     times of choices at sizes --> which are good enough --> cover_rows --> TargetRule
#pragma once
#include "advice/guidelines/guidelines.h"
#include "libraries/targets/target.h"
#include "search/search/request.h"

// What a file has for one collective on some ranks.
typedef struct TuneTargetPart {
    Collective collective;
    int p, per_node; // the first number of ranks; per_node: 0 if nothing says it
    guint first, n;  // its rules: indices of TuneTarget.rules
    guint sizes;     // how many were looked at
    guint gains;     // at how many a rule names something
    double usual;    // geometric mean of the library's own time divided by the best; NAN if it is not known
    double rules;    // .. and of what the rules name, or else the library's own
    double worst;    // the largest of these
    size_t buffer;   // of PGMPITuneLib: bytes of its buffer for messages that a rule needs
} TuneTargetPart;

typedef struct TuneTarget {
    const Target *target;
    GArray *rules;    // of TargetRule
    GArray *parts;    // of TuneTargetPart
    GPtrArray *lacks; // of char *: what the file cannot say, or was not looked at
} TuneTarget;

// Free with tune_target_free.
TuneTarget *tune_target_new(TargetId id);
void tune_target_free(TuneTarget *x);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TuneTarget, tune_target_free)

// Finds the pairs of NCCL that are within a share `within` of the best measured at each size, in the fewest rows.
// `in_place` takes the times in place. `notes` (of char *) gets what is passed over. Returns NULL and an error if no
// log names a pair.
TuneTarget *tune_nccl(const GPtrArray *logs, double within, gboolean in_place, GPtrArray *notes, GError **error);
// Finds Intel's ids for those of the request's collectives that are asked for, over its ranks and sizes; elem[] is the
// length of an element by collective. Returns NULL and an error on bad input.
TuneTarget *tune_intel(Request *r, const gboolean *asked, const size_t *elem, double within, GError **error);
// Returns the guidelines (Guideline *) whose right sides are mock-ups of PGMPITuneLib. Free with g_ptr_array_unref.
GPtrArray *tune_pgmpi_list(void);
// Finds mock-ups where the call takes longer than one by more than the tolerance of the guidelines, which are those of
// tune_pgmpi_list and have times. Returns NULL and an error if two places have the same ranks, which profiles cannot
// tell apart.
TuneTarget *tune_pgmpi(const Guidelines *x, double within, GError **error);

// ---- For the files of this room -------------------------------------------------------------------------------------

// The times of choices at sizes. Choice 0 is the library's own.
typedef struct TuneTargetTimes {
    guint n, n_choices;
    const size_t *sizes;
    double *time_s; // [size * n_choices + choice]; NAN if it is not known
} TuneTargetTimes;

// Appends the rules of a part to x->rules, and the part. `make` fills in a rule for a choice; its ranges are set
// already. The library's own choice is good where it is within `usual_within` of the best, and others where they are
// within `within`. `nested` is whether the first of several rules decides for sure. The last rule ends at the last size
// unless `open`.
typedef void TuneTargetMake(TargetRule *rule, guint choice, gconstpointer user);
void tune_target_add(TuneTarget *x, TuneTargetPart part, const TuneTargetTimes *times, double usual_within,
                     double within, gboolean nested, gboolean open, TuneTargetMake *make, gconstpointer user);
void tune_target_lack(TuneTarget *x, const char *format, ...) G_GNUC_PRINTF(2, 3);
