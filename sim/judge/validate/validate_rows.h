// The rows with which a model is validated: what was measured, what each row is for, and what was predicted.
//
// A rows file is a CSV with the columns
//   use         score; calibrate: the row calibrates, so it is not scored; twin: another code of the same algorithm as a
//               calibrating row, neither scored nor used; winner: only a candidate for the choice; default: what the
//               library took by default, against which choices are held (winning.h)
//   collective  of `collsim list`, or `pingpong`, or the data's own name of something that --names explains
//   algorithm   with its parameters ("knomial radix=4"), or variant; LIB:auto is the library's own choice;
//               empty if collsim has no such algorithm
//   p, bytes    ranks (also called ranks), and what -m is; where there is no algorithm, the size that the data have
//   measured_s  or measured_us, _ms, _ns
// and, where they are needed, file and line (of the data file that has the measurement), set (default: the name of the
// rows file), per_node (default 1), group (rows that share a calibration or a placement), columns of predictions,
// time_is (`mean` if the time is the mean over the ranks, and not the last one's), and entry (the one whose time a prediction is).
#pragma once
#include "measurements/logs/log_names.h"

typedef enum RowUse { ROW_SCORE, ROW_CALIBRATE, ROW_TWIN, ROW_WINNER, ROW_DEFAULT, N_ROW_USES } RowUse;
extern const char *const row_use_names[]; // by RowUse, NULL-terminated

typedef struct ValidateRow {
    const char *from; // the file that has the row, and its line there, for errors
    guint line;
    const char *file; // of the data; "" if not given
    LogSample sample; // what was measured; its line is that of the data. The root is 0, and a map is block or cyclic
    gboolean
        known; // nothing is predicted unless the row or --names says what the sample's collective and algorithm are
    RowUse use;
    const char *set, *collective, *algorithm, *group;
    size_t bytes;       // the size that the file has: the sample's, unless --names converts it
    double measured_s;  // the sample's time, times its factor
    double predicted_s; // NAN if there is no prediction
    const char *entry;  // .. and the entry whose time that is; "" if it is not known
    const char *ran; // the fallback whose time that is, with the need that is not met; NULL if the algorithm itself ran
} ValidateRow;

// A candidate of a choice.
typedef struct ValidateCandidate {
    char *algorithm; // as in a rows file
    double measured_s;
} ValidateCandidate;

// A choice: what was measured at one point. Candidates may name one algorithm twice, as where two codes of it ran.
typedef struct ValidateChoice {
    ValidateRow point;  // what its rows have in common
    GArray *candidates; // of ValidateCandidate
} ValidateChoice;

typedef struct ValidateRows {
    GPtrArray *texts;   // of Csv *: what rows and choices point into
    GStringChunk *made; // texts of rows that no Csv has
    GArray *rows;       // of ValidateRow
    GArray *choices;    // of ValidateChoice
    gboolean
        undecided; // no file says which rows calibrate: all are of one machine, and those that its figures come from
                   // are not scored
} ValidateRows;

ValidateRows *validate_rows_new(void);
void validate_rows_free(ValidateRows *rows); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ValidateRows, validate_rows_free)

// Adds the rows of a file. `predicted` names the column with the predictions, where cells may be empty; it is NULL if they
// are still to be made. A row may name its algorithm. For other rows, `how->names` says what their collective is;
// a bcast of two ranks is one message, and `pingpong` half of a ping-pong. Returns FALSE and an error if the file is
// malformed.
gboolean validate_rows_read(ValidateRows *rows, const char *path, const char *predicted, const LogReading *how,
                            GError **error);
// Returns FALSE and an error that names the row and the line unless each row's line in the data has the row's measured
// value, in the same column for all rows of a file. `files` (of char *) are the paths of the data; a row names its file
// without the folder.
gboolean validate_rows_check(const ValidateRows *rows, char *const *files, GError **error);
// Returns a text that rows share which were measured at the same point, with this algorithm. Free with g_free.
char *validate_row_key(const ValidateRow *row, const char *algorithm);
// Returns TRUE if the row is what a library runs by default: by its use, or because it is one of LIB:auto.
gboolean validate_row_default(const ValidateRow *row);
// Returns the name of the entry that the row's prediction is of, or else that of its algorithm. Free with g_free.
char *validate_row_entry(const ValidateRow *row);
// Adds choices from a file with the columns set, collective, p, per_node, bytes, group and candidates
// ("binomial:12.5;linear:20", in us), for the sets that have rows.
gboolean validate_choices_read(ValidateRows *rows, const char *path, GError **error);
// Adds the choices that the rows themselves give, for sets that have none yet: the algorithms of one collective that
// were measured with the same p, per_node, bytes and group, each with its least time. A default is none of them.
void validate_choices_derive(ValidateRows *rows);
