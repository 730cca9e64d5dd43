#include "run/launch/job.h"
#include "run/launch/job_map.h"
#include "engine/schedule/counts.h"
#include "base/error.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const sync_names[] = {"window", "barrier", NULL}, *const job_op_names[] = {"sum", "max", "ordered", NULL};
// The first word of jobs that are not about a collective.
static const char *const kind_names[] = {
    [JOB_PINGPONG] = "pingpong", [JOB_REDUCE] = "reduce_local", [JOB_SINGLE] = "single_copy"};

// ---- Fields --------------------------------------------------------------------------------------------------------

// A member of a struct, written as a word NAME=VALUE.
typedef struct Field {
    const char *name;
    enum { FIELD_INT, FIELD_SIZE, FIELD_DOUBLE, FIELD_BOOL, FIELD_NAME } kind;
    size_t offset;
    const char *const *names; // FIELD_NAME
} Field;

static const Field plan_fields[] = {
    {"ranks", FIELD_INT, offsetof(JobPlan, p)},
    {"sync", FIELD_NAME, offsetof(JobPlan, sync), sync_names},
    {"warmup", FIELD_INT, offsetof(JobPlan, warmup)},
    {"least", FIELD_INT, offsetof(JobPlan, least)},
    {"most", FIELD_INT, offsetof(JobPlan, most)},
    {"budget", FIELD_DOUBLE, offsetof(JobPlan, budget_s)},
    {"precision", FIELD_DOUBLE, offsetof(JobPlan, precision)},
    {"gamma", FIELD_DOUBLE, offsetof(JobPlan, gamma_s)},
    {"blind", FIELD_BOOL, offsetof(JobPlan, blind)},
    {NULL},
};
static const Field job_fields[] = {
    {"m", FIELD_SIZE, offsetof(Job, m)},
    {"elem", FIELD_SIZE, offsetof(Job, elem)},
    {"root", FIELD_INT, offsetof(Job, root)},
    {"op", FIELD_NAME, offsetof(Job, op), job_op_names},
    {"in_place", FIELD_BOOL, offsetof(Job, in_place)},
    {"synchronous", FIELD_BOOL, offsetof(Job, synchronous)},
    {NULL},
};
static const Field result_fields[] = {
    {"repetitions", FIELD_INT, offsetof(JobResult, repetitions)},
    {"min", FIELD_DOUBLE, offsetof(JobResult, min_s)},
    {"median", FIELD_DOUBLE, offsetof(JobResult, median_s)},
    {"mean", FIELD_DOUBLE, offsetof(JobResult, mean_s)},
    {"p95", FIELD_DOUBLE, offsetof(JobResult, p95_s)},
    {"max", FIELD_DOUBLE, offsetof(JobResult, max_s)},
    {"ranks_min", FIELD_DOUBLE, offsetof(JobResult, ranks_min_s)},
    {"ranks_mean", FIELD_DOUBLE, offsetof(JobResult, ranks_mean_s)},
    {"counted", FIELD_BOOL, offsetof(JobResult, counted)},
    {NULL},
};

static void fields_append(GString *s, const Field *f, const void *of)
{
    for (; f->name; f++) {
        const char *at = (const char *)of + f->offset;
        g_string_append_printf(s, " %s=", f->name);
        if (f->kind == FIELD_INT)
            g_string_append_printf(s, "%d", *(const int *)(const void *)at);
        else if (f->kind == FIELD_SIZE)
            g_string_append_printf(s, "%zu", *(const size_t *)(const void *)at);
        else if (f->kind == FIELD_DOUBLE) {
            char number[G_ASCII_DTOSTR_BUF_SIZE];
            g_string_append(s, g_ascii_dtostr(number, sizeof number, *(const double *)(const void *)at));
        } else if (f->kind == FIELD_BOOL)
            g_string_append_c(s, *(const bool *)(const void *)at ? '1' : '0');
        else
            g_string_append(s, f->names[*(const int *)(const void *)at]);
    }
}

static gboolean parse_number(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = g_ascii_strtoll(text, &end, 10);
    return g_ascii_isdigit(*text) && (*text != '0' || !text[1]) && !*end && errno == 0;
}

static gboolean field_parse(const Field *f, const char *value, void *of)
{
    char *at = (char *)of + f->offset, *end;
    int64_t number = 0;
    if (f->kind == FIELD_DOUBLE) {
        const double x = g_ascii_strtod(value, &end);
        *(double *)(void *)at = x;
        return g_ascii_isdigit(*value) && !value[strspn(value, "0123456789.e+-")] && !*end && x < INFINITY;
    }
    if (f->kind == FIELD_NAME) {
        while (f->names[number] && strcmp(f->names[number], value) != 0)
            number++;
        *(int *)(void *)at = (int)number;
        return f->names[number] != NULL;
    }
    if (!parse_number(value, &number) || (f->kind == FIELD_INT && number > INT32_MAX) ||
        (f->kind == FIELD_BOOL && number > 1))
        return FALSE;
    if (f->kind == FIELD_SIZE)
        *(size_t *)(void *)at = (size_t)number;
    else if (f->kind == FIELD_INT)
        *(int *)(void *)at = (int)number;
    else
        *(bool *)(void *)at = number != 0;
    return TRUE;
}

// Adds the i-th field to those of a line. Returns FALSE if the line has had it before.
static gboolean is_new(unsigned *seen, int i)
{
    const unsigned had = *seen;
    *seen |= 1U << i;
    return had != *seen;
}

// Takes a word NAME=VALUE: sets the field of this name, and adds the field to *seen. Returns FALSE if no field has the
// name, if the field was seen before, or if the value is bad.
static gboolean fields_parse(const Field *fields, const char *word, void *of, unsigned *seen)
{
    const char *value = strchr(word, '=');
    for (int i = 0; value && fields[i].name; i++)
        if (strlen(fields[i].name) == (size_t)(value - word) &&
            strncmp(fields[i].name, word, (size_t)(value - word)) == 0)
            return is_new(seen, i) && field_parse(&fields[i], value + 1, of);
    return FALSE;
}

// ---- Counts --------------------------------------------------------------------------------------------------------

static void numbers_append(GString *s, const char *name, const size_t *number, int n)
{
    for (int i = 0; i < n; i++)
        g_string_append_printf(s, "%s%s%zu", i ? "" : " ", i ? "," : name, number[i]);
}

// Returns the numbers of a list; NULL if the text is not a list of n numbers. Free with g_free.
static size_t *numbers_parse(const char *text, int n)
{
    g_auto(GStrv) word = g_strsplit(text, ",", -1);
    g_autofree size_t *number = g_new(size_t, n);
    if (g_strv_length(word) != (guint)n)
        return NULL;
    for (int i = 0; i < n; i++) {
        int64_t value;
        if (!parse_number(word[i], &value))
            return NULL;
        number[i] = (size_t)value;
    }
    return g_steal_pointer(&number);
}

// Sets the counts of a job; both texts are NULL if its blocks are equal. Returns FALSE if only one is NULL or one is
// bad.
static gboolean job_counts_parse(const char *len_text, const char *at_text, int p, Job *job)
{
    if (!len_text && !at_text)
        return TRUE;
    g_autofree size_t *len = len_text ? numbers_parse(len_text, p) : NULL;
    g_autofree size_t *at = at_text ? numbers_parse(at_text, p + 1) : NULL;
    if (!len || !at)
        return FALSE;
    int other;
    for (int i = 0; i < p; i++)
        if (at[i] > at[p] || len[i] > at[p] - at[i])
            return FALSE;
    if (counts_overlap(len, at, p, &other) >= 0)
        return FALSE;
    job->counts = counts_take(g_steal_pointer(&len), g_steal_pointer(&at));
    return TRUE;
}

// ---- Lines ---------------------------------------------------------------------------------------------------------

static const char plan_word[] = "collsim-plan", library_word[] = "library",
                  like_word[] = "like:", wrong_word[] = "wrong", unlike_word[] = "unlike", param_word[] = "param.",
                  plugin_word[] = "plugin ", len_word[] = "counts.len=", at_word[] = "counts.at=", map_word[] = "map=";

char *job_plan_text(const JobPlan *plan)
{
    GString *s = g_string_new(plan_word);
    fields_append(s, plan_fields, plan);
    return g_string_free(s, FALSE);
}

gboolean job_plan_parse(const char *line, JobPlan *plan, GError **error)
{
    g_auto(GStrv) word = g_strsplit(line, " ", -1);
    *plan = (JobPlan){0};
    gboolean good = word[0] && strcmp(word[0], plan_word) == 0;
    unsigned seen = 0;
    for (guint i = 1; good && word[i]; i++)
        good = fields_parse(plan_fields, word[i], plan, &seen);
    return (good && plan->p >= 1 && plan->least >= 1 && plan->most >= plan->least) ||
           bad_input(error, "'%.60s' is not a plan; allowed: what collsim writes", line);
}

char *job_text(const Job *job, int p)
{
    GString *s = g_string_new(NULL);
    if (!kind_names[job->kind])
        g_string_append_printf(s, "%s %s%s", collectives[job->collective].name, job->kind == JOB_LIKE ? like_word : "",
                               job->algorithm ? job->algorithm->name : library_word);
    else
        g_string_append_printf(s, "%s -", kind_names[job->kind]);
    fields_append(s, job_fields, job);
    for (int i = 0; job->algorithm && i < COLL_MAX_PARAMS && job->algorithm->params[i].name; i++) {
        const CollParam *param = &job->algorithm->params[i];
        g_string_append_printf(s, " %s%s=%" G_GINT64_FORMAT, param_word, param->name, param_get(param, &job->par));
    }
    if (job->nodes) {
        g_autofree char *map = job_map_text(job->nodes);
        g_string_append_printf(s, " %s%s", map_word, map);
    }
    if (job->counts) {
        numbers_append(s, len_word, job->counts->len, p);
        numbers_append(s, at_word, job->counts->at, p + 1);
    }
    return g_string_free(s, FALSE);
}

static gboolean find_kind(char **word, Job *job)
{
    if (!word[0] || !word[1])
        return FALSE;
    for (guint k = 0; k < G_N_ELEMENTS(kind_names); k++)
        if (kind_names[k] && strcmp(word[0], kind_names[k]) == 0) {
            job->kind = (JobKind)k;
            return TRUE;
        }
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (strcmp(word[0], collectives[i].name) == 0)
            job->collective = (Collective)i;
        else if (i == N_COLLECTIVES - 1 && strcmp(word[0], collectives[job->collective].name) != 0)
            return FALSE;
    if (strcmp(word[1], library_word) == 0) {
        job->kind = JOB_LIBRARY;
        return TRUE;
    }
    const bool like = g_str_has_prefix(word[1], like_word);
    job->kind = like ? JOB_LIKE : JOB_ALGORITHM;
    job->algorithm = algorithm_find(job->collective, word[1] + (like ? strlen(like_word) : 0));
    if (job->algorithm)
        job->par = algorithm_defaults(job->algorithm);
    return job->algorithm != NULL;
}

static gboolean job_param_parse(const char *assignment, Job *job, unsigned *seen)
{
    const char *value = strchr(assignment, '=');
    int64_t number;
    for (int i = 0; value && job->algorithm && i < COLL_MAX_PARAMS && job->algorithm->params[i].name; i++) {
        const CollParam *param = &job->algorithm->params[i];
        if (strlen(param->name) == (size_t)(value - assignment) &&
            strncmp(param->name, assignment, (size_t)(value - assignment)) == 0) {
            if (!is_new(seen, i) || !parse_number(value + 1, &number) || number < param->min || number > param->max ||
                (param->kind == PARAM_ALGORITHM &&
                 (number >= n_algorithms || !(param_allows(param, (int)number) || param_shares(param, (int)number)))))
                return FALSE;
            param_set(param, &job->par, number);
            return TRUE;
        }
    }
    return FALSE;
}

gboolean job_parse(const char *line, int p, Job *job, GError **error)
{
    g_auto(GStrv) word = g_strsplit(line, " ", -1);
    const char *len = NULL, *at = NULL, *map = NULL;
    unsigned seen = 0, params_seen = 0;
    *job = (Job){.elem = 1};
    gboolean good = find_kind(word, job);
    for (guint i = 2; good && word[i]; i++)
        if (!len && g_str_has_prefix(word[i], len_word))
            len = word[i] + strlen(len_word);
        else if (!at && g_str_has_prefix(word[i], at_word))
            at = word[i] + strlen(at_word);
        else if (!map && g_str_has_prefix(word[i], map_word))
            map = word[i] + strlen(map_word);
        else
            good = g_str_has_prefix(word[i], param_word)
                       ? job_param_parse(word[i] + strlen(param_word), job, &params_seen)
                       : fields_parse(job_fields, word[i], job, &seen);
    good = good && job->elem > 0 && job->root < p && (!job->in_place || collectives[job->collective].in_place);
    if (good && (!map || (job->nodes = job_map_parse(map, p))) && job_counts_parse(len, at, p, job))
        return TRUE;
    job_clear(job);
    return bad_input(error, "'%.60s' is not a job; allowed: what collsim writes", line);
}

char *job_plugin_text(const char *library)
{
    g_autofree char *plain = g_uri_escape_string(library, "/", FALSE);
    return g_strconcat(plugin_word, plain, NULL);
}

char *job_plugin_parse(const char *line)
{
    return g_str_has_prefix(line, plugin_word) ? g_uri_unescape_string(line + strlen(plugin_word), NULL) : NULL;
}

char *job_result_text(int number, const JobResult *result)
{
    if (result->wrong || result->unlike)
        return g_strdup_printf("@%d %s %s", number, result->wrong ? wrong_word : unlike_word,
                               result->wrong ? result->wrong : result->unlike);
    GString *s = g_string_new(NULL);
    g_string_append_printf(s, "@%d", number);
    fields_append(s, result_fields, result);
    return g_string_free(s, FALSE);
}

// Returns TRUE if the times are in their order, and 0 if nothing was timed. A mean may be off by rounding, so it is not
// compared.
static gboolean is_ordered(const JobResult *x)
{
    return (x->repetitions >= 1 || (x->max_s == 0 && x->mean_s == 0 && x->ranks_mean_s == 0)) &&
           x->ranks_min_s <= x->min_s && x->min_s <= x->median_s && x->median_s <= x->p95_s && x->p95_s <= x->max_s;
}

gboolean job_result_parse(const char *line, int *number, JobResult *result, GError **error)
{
    enum { ALL = (1 << (G_N_ELEMENTS(result_fields) - 1)) - 1 };
    g_auto(GStrv) word = g_strsplit(line, " ", -1);
    int64_t value = 0;
    unsigned seen = 0;
    *result = (JobResult){0};
    gboolean good = word[0] && word[1] && *word[0] == '@' && parse_number(word[0] + 1, &value) && value <= INT32_MAX;
    *number = (int)value;
    const bool wrong = good && strcmp(word[1], wrong_word) == 0;
    if (wrong || (good && strcmp(word[1], unlike_word) == 0)) {
        char *text = g_strjoinv(" ", word + 2);
        *(wrong ? &result->wrong : &result->unlike) = text;
        result->counted = !wrong;
        if (*text)
            return TRUE;
        job_result_clear(result);
        good = FALSE;
    }
    for (guint i = 1; good && word[i]; i++)
        good = fields_parse(result_fields, word[i], result, &seen);
    return (good && seen == ALL && is_ordered(result)) ||
           bad_input(error, "'%.60s' is not a result; allowed: what the backend writes", line);
}

void job_clear(Job *job)
{
    counts_free(job->counts);
    job_map_free(job->nodes);
    job->counts = NULL;
    job->nodes = NULL;
}

void job_result_clear(JobResult *result)
{
    g_clear_pointer(&result->wrong, g_free);
    g_clear_pointer(&result->unlike, g_free);
}
