// CSV of other people: files of names, what bytes are, columns, --where, and which rows belong together. Where the folder
// of published measurements is (COLLSIM_MEASURED, or else ../shared/measured), each of its rows must be read as its lists
// of scored rows say; otherwise that test is skipped.
#include "base/error.h"
#include "base/limits.h"
#include "base/share.h"
#include "measurements/logs/log_names.h"
#include "measurements/logs/logs.h"
#include "tap.h"
#include <math.h>
#include <string.h>

static LogNames *names_of(const char *text)
{
    g_autoptr(GError) error = NULL;
    LogNames *names = log_names_parse(text, strlen(text), "n", &error);
    g_assert_no_error(error);
    return names;
}

// Reads a text as the file `name`; `label` may be NULL.
static Log *read_as(const char *name, const char *text, const char *label, const LogReading *how, GError **error)
{
    g_auto(LogLabel) parsed = {0};
    g_autofree char *argument = g_strconcat(label ? label : "", label ? "=" : "", "f", NULL);
    const char *path;
    g_assert_true(log_label(argument, &parsed, &path, NULL));
    return log_parse(text, strlen(text), name, &parsed, how, error);
}

static Log *read_good(const char *text, const char *label, const LogReading *how)
{
    g_autoptr(GError) error = NULL;
    Log *log = read_as("f", text, label, how, &error);
    g_assert_no_error(error);
    return log;
}

static const LogSample *sample(const Log *log, guint i)
{
    g_assert_cmpuint(i, <, log->samples->len);
    return &g_array_index(log->samples, LogSample, i);
}

static const char *passed(const Log *log, guint i)
{
    return i < log->passed->len ? g_ptr_array_index(log->passed, i) : NULL;
}

static void assert_refused(const char *text, const char *label, const LogReading *how, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(read_as("f", text, label, how, &error));
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
}

// ---- Names ----------------------------------------------------------------------------------------------------------

static void test_names(void)
{
    g_autoptr(LogNames) names = names_of("theirs,ours,params,collective,where,bytes,factor,element,per_node,map\n"
                                         "ring_x,ring,,,,,,,,\n"
                                         "tree,knomial,radix=4,bcast,how=fast,,,,ceil(p/2),cyclic\n"
                                         "tree,binomial,,bcast,,,,,2,\n"
                                         "halve,recursive_halving,,reduce_scatter,,2*bytes,p/2,4,,\n");
    g_autoptr(Log) log = read_good("collective,algorithm,how,p,bytes,time_us\n"
                                   "ALLGATHER,ring_x,,4,64,3\nAllreduce,ring_x,,4,64,3\nbcast,tree,fast,7,64,3\n"
                                   "bcast,tree,slow,7,64,3\nreduce,tree,slow,7,64,3\nreduce_scatter,halve,,4,64,3\n"
                                   "bcast,ring,,4,64,3\npingpong,,,2,64,3\n",
                                   NULL, &(LogReading){.names = names});
    static const struct {
        guint line;
        const char *algorithm, *params, *map;
        int per_node;
        size_t bytes, element;
        double factor;
    } EXPECTED[] = {
        {2, "ring", "", "", 0, 64, 1, 1},
        {3, "ring", "", "", 0, 64, 1, 1},
        {4, "knomial", "radix=4", "cyclic:4", 4, 64, 1, 1},
        {5, "binomial", "", "block:2", 2, 64, 1, 1},
        {7, "recursive_halving", "", "", 0, 128, 4, 2},
        {9, NULL, "", "", 0, 64, 1, 0},
    };
    g_assert_cmpuint(log->samples->len, ==, G_N_ELEMENTS(EXPECTED));
    for (guint i = 0; i < log->samples->len; i++) {
        const LogSample *s = sample(log, i);
        g_assert_cmpuint(s->line, ==, EXPECTED[i].line);
        g_assert_cmpstr(s->algorithm, ==, EXPECTED[i].algorithm);
        g_assert_cmpstr(s->params, ==, EXPECTED[i].params);
        g_assert_cmpstr(s->map, ==, EXPECTED[i].map);
        g_assert_cmpint(s->per_node, ==, EXPECTED[i].per_node);
        g_assert_cmpuint(s->bytes, ==, EXPECTED[i].bytes);
        g_assert_cmpuint(s->element, ==, EXPECTED[i].element);
        g_assert_cmpfloat(s->factor, ==, EXPECTED[i].factor);
        g_assert_cmpfloat_with_epsilon(s->time_s * MAX(s->factor, 1), 3e-6, 1e-18);
    }
    g_assert_cmpstr(passed(log, 0), ==, "2 rows with names of algorithms that the file of names does not have");
}

// Names that are a library's own need no file: they are those of the row's library, or of the one that was asked for.
static void test_own_names(void)
{
    static const char TEXT[] = "mpi_lib,mpi_version,collective,algorithm,p,bytes,time_us\n"
                               "OMPI,4.1.6,bcast,binomial_ompi,8,64,9\nOMPI,5.0.7,bcast,binomial_ompi,8,64,9\n"
                               "OMPI,4.1.6,bcast,Basic-Linear,8,64,9\nOMPI,4.1.6,allreduce,4,8,64,9\n"
                               "OMPI,4.1.6,bcast,default,8,64,9\nCRAY_MPICH,8.1.29,allgather,brucks_mpich,8,64,9\n"
                               ",,bcast,binomial,8,64,9\nOMPI,4.1.6,bcast,their_own,8,64,9\n";
    static const char *const OWN[] = {"ompi-4.1:binomial", "ompi-5.0:binomial", "ompi-4.1:basic_linear",
                                      "ompi-4.1:4",        "ompi-4.1:auto",     "mpich:brucks",
                                      "binomial"};
    g_autoptr(GError) error = NULL;
    g_autoptr(LogNames) names = log_names_auto(NULL, &error), given = log_names_auto("ompi-5", &error);
    g_autoptr(Log) log = read_good(TEXT, NULL, &(LogReading){.names = names});
    g_assert_cmpuint(log->samples->len, ==, G_N_ELEMENTS(OWN));
    for (guint i = 0; i < log->samples->len; i++)
        g_assert_cmpstr(sample(log, i)->algorithm, ==, OWN[i]);
    g_assert_cmpstr(passed(log, 0), ==, "1 row with names of algorithms that the file of names does not have");
    g_autoptr(Log) other = read_good("collective,ompi_id,p,bytes,time_us\nbcast,6,8,64,9\nbcast,0,8,64,9\n", NULL,
                                     &(LogReading){.names = given});
    g_assert_cmpstr(sample(other, 0)->algorithm, ==, "ompi-5:6");
    g_assert_cmpstr(sample(other, 1)->algorithm, ==, "ompi-5:auto");
    g_assert_null(log_names_auto("lam", &error));
    g_assert_true(g_str_has_prefix(error->message, "unknown library 'lam'; allowed: ompi-4.1, "));
}

// A log without a column `collective`: its names say what was measured.
static void test_schedules(void)
{
    g_autoptr(LogNames) names = names_of("theirs,ours,collective,bytes,factor\nwheel,ring,allgather,\"max(1,bytes/p)\","
                                         "p/(p-1)\nthere,,pingpong,,\nback,linear,,,\n");
    const LogReading how = {.names = names};
    g_autoptr(Log) log =
        read_good("schedule,p,size_bytes,min_us,median_us\nwheel,4,6,1,4\nthere,2,6,1,4\nback,4,6,1,4\n"
                  "wheel,4,2,1,4\n",
                  NULL, &how);
    g_assert_cmpuint(log->samples->len, ==, 3);
    g_assert_cmpint(sample(log, 0)->collective, ==, COLL_ALLGATHER);
    g_assert_cmpuint(sample(log, 0)->bytes, ==, 2); // 6/4, to the nearest
    g_assert_cmpfloat_with_epsilon(sample(log, 0)->time_s, 3e-6, 1e-18);
    g_assert_cmpint(sample(log, 1)->kind, ==, LOG_ONE_WAY);
    g_autoptr(Log) one = read_good("schedule,p,size_bytes,time_us\nwheel,4,6,4\nthere,2,6,4\n", "one", &how);
    g_autoptr(Log) step =
        read_good("schedule,p,size_bytes,time_us\nwheel,4,6,4\nthere,2,6,4\n", "step=allgather:ring", &how);
    g_assert_true(one->samples->len == 1 && sample(one, 0)->kind == LOG_ONE_WAY);
    g_assert_true(step->samples->len == 1 && sample(step, 0)->collective == COLL_ALLGATHER);
    g_assert_cmpuint(sample(log, 2)->bytes, ==, 1);
    g_assert_cmpstr(passed(log, 0), ==, "1 row with names of algorithms that the file of names does not have");
    assert_refused("schedule,size_bytes,time_us\nwheel,6,1\n", NULL, &how,
                   "f:2: the log does not say on how many ranks, which bytes of n:2 needs; allowed: a column p");
    assert_refused("schedule,p,size_bytes,time_us\nwheel,1,6,1\n", NULL, &how,
                   "f:2: factor is inf by n:2; allowed: 1e-09 to 1e+09");
    assert_refused("schedule,p,bytes,time_us\nback,4,6,1\n", NULL, &how,
                   "f: no measurement that can be used: 1 row with names of algorithms that the file of names does not "
                   "have");
    g_autoptr(LogNames) library =
        names_of("theirs,ours,collective\nwheel,ompi-4.1:4,allreduce\nback,mpich:ring,allgather\n");
    g_autoptr(Log) theirs =
        read_good("algorithm,p,bytes,time_us\nwheel,4,6,1\nback,4,6,1\n", NULL, &(LogReading){.names = library});
    g_assert_cmpstr(sample(theirs, 0)->algorithm, ==, "ompi-4.1:4");
    g_assert_cmpstr(sample(theirs, 1)->algorithm, ==, "mpich:ring");
    g_autoptr(LogNames) any = names_of("theirs,ours\nwheel,ring\n");
    assert_refused("collective,algorithm,bytes,time_us\nbarrier,wheel,6,1\n", NULL, &(LogReading){.names = any},
                   "f:2: barrier has no algorithm `ring`, which n:2 says; allowed: a collective in n:2");
}

static void test_bad_names(void)
{
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"theirs\nx\n", "n:1: column `ours` is missing; the header has theirs"},
        {"theirs,ours\n,ring\n", "n:2: theirs is empty; allowed: a name in the log"},
        {"theirs,ours\nx,rings\n", "n:2: no algorithm `rings`; allowed: a name or an alias of `collsim list`, or "
                                   "LIB:NAME, such as ompi-4.1:3"},
        {"theirs,ours\nx,\n", "n:2: no algorithm ``; allowed: a name or an alias of `collsim list`, or "
                              "LIB:NAME, such as ompi-4.1:3"},
        {"theirs,ours,collective\nx,bruck,reduce\n", "n:2: no algorithm `bruck`; allowed: a name or an alias of "
                                                     "`collsim list reduce`, or LIB:NAME, such as ompi-4.1:3"},
        {"theirs,ours,collective\nx,ring,pingpong\n", "n:2: ours is `ring`; allowed: nothing, as pingpong has no "
                                                      "algorithm"},
        {"theirs,ours,collective\nx,ring,rings\n", "n:2: unknown collective `rings`; allowed: pingpong, sendrecv, "
                                                   "window, window_both, reduce_local, single_copy, or one of "
                                                   "`collsim list`"},
        {"theirs,ours,where\nx,ring,y\n", "n:2: where is `y`; allowed: COLUMN=VALUE"},
        {"theirs,ours,where\nx,ring,=y\n", "n:2: where is `=y`; allowed: COLUMN=VALUE"},
        {"theirs,ours,element\nx,ring,0\n", "n:2: element is `0`; allowed: an integer from 1 to 1024"},
        {"theirs,ours,per_node,map\nx,ring,4,spread\n", "n:2: map is `spread`; allowed: block or cyclic"},
        {"theirs,ours,per_node,map\nx,ring,,cyclic\n", "n:2: map without per_node; allowed: both"},
        {"theirs,ours,bytes\nx,ring,m/p\n", "n:2: bytes: column 1: "},
        {"theirs,ours,factor\nx,ring,p/(p-1\n", "n:2: factor: column "},
    };
    for (guint i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(log_names_parse(CASES[i].text, strlen(CASES[i].text), "n", &error));
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_assert_true(g_str_has_prefix(error->message, CASES[i].message));
    }
}

// ---- Columns --------------------------------------------------------------------------------------------------------

// --bytes converts the sizes of a log to what -m is.
static void test_bytes(void)
{
    static const struct {
        const char *collective;
        size_t total, block; // what -m is if the log says 100 on 8 ranks
    } CASES[] = {
        {"allreduce", 100, 100},
        {"bcast", 100, 100},
        {"reduce", 100, 100},
        {"scan", 100, 100},
        {"allgather", 13, 100},
        {"gather", 13, 100},
        {"scatter", 13, 100},
        {"alltoall", 13, 100},
        {"alltoallv", 13, 100},
        {"reduce_scatter", 100, 800},
        {"reduce_scatter_block", 13, 100},
    };
    static const char *const WORDS[] = {"total", "vector", "block"};
    for (guint i = 0; i < G_N_ELEMENTS(CASES); i++)
        for (guint k = 0; k < G_N_ELEMENTS(WORDS); k++) {
            LogReading how = {0};
            g_assert_true(log_bytes_parse(WORDS[k], &how.bytes, NULL));
            g_autofree char *text =
                g_strdup_printf("collective,algorithm,p,bytes,time_us\n%s,x,8,100,1\n", CASES[i].collective);
            g_autoptr(Log) log = read_good(text, NULL, &how);
            g_autoptr(Log) as_it_is = read_good(text, NULL, NULL);
            g_assert_cmpuint(sample(log, 0)->bytes, ==, k < 2 ? CASES[i].total : CASES[i].block);
            g_assert_cmpuint(sample(as_it_is, 0)->bytes, ==, 100);
        }
    LogBytes bytes;
    g_autoptr(GError) error = NULL;
    g_assert_false(log_bytes_parse("all", &bytes, &error));
    g_assert_cmpstr(error->message, ==, "--bytes all; allowed: total, block or vector");
    const LogReading total = {.bytes = LOG_BYTES_TOTAL}, block = {.bytes = LOG_BYTES_BLOCK};
    assert_refused("collective,algorithm,bytes,time_us\nallgather,ring,100,1\n", NULL, &total,
                   "f:2: the log does not say on how many ranks, which --bytes needs; allowed: a column p");
    assert_refused("collective,algorithm,p,bytes,time_us\nreduce_scatter,ring,4,1125899906842624,1\n", NULL, &block,
                   "f:2: a vector of 4 blocks of 1125899906842624 bytes; allowed: at most 2^50 bytes");
    // Half a byte is rounded up, and what is not a collective stays.
    g_autoptr(Log) log = read_good(
        "collective,algorithm,p,bytes,time_us\nallgather,x,8,4,1\nallgather,x,8,3,1\npingpong,,2,4,1\n", NULL, &total);
    g_assert_true(sample(log, 0)->bytes == 1 && sample(log, 1)->bytes == 0 && sample(log, 2)->bytes == 4);
}

// What the columns of other programs are called.
static void test_columns(void)
{
    static const struct {
        const char *columns, *run, *machine, *place;
        int p, per_node;
    } CASES[] = {
        {"nranks=8,ppn=4,timestamp=monday,system=big", "monday", "big", NULL, 8, 4},
        {"p=8,per_node=4,run=1,machine=big,map_by=core", "1", "big", "map_by=core", 8, 4},
        {"ranks=8,p=4,experiment=x,partition=fat,map=block:2", "x", "fat", "map=block:2", 8, 0},
        {"source=me,p=8", "me", NULL, NULL, 8, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GString) head = g_string_new("collective,algorithm,bytes,median_ns"),
                           row = g_string_new("bcast,binomial,8,1500");
        g_auto(GStrv) columns = g_strsplit(CASES[i].columns, ",", -1);
        for (guint k = 0; columns[k]; k++) {
            g_auto(GStrv) pair = g_strsplit(columns[k], "=", 2);
            g_string_append_printf(head, ",%s", pair[0]);
            g_string_append_printf(row, ",%s", pair[1]);
        }
        g_autofree char *text = g_strdup_printf("%s\n%s\n", head->str, row->str);
        g_autoptr(Log) log = read_good(text, NULL, NULL);
        const LogSample *s = sample(log, 0);
        g_assert_cmpfloat_with_epsilon(s->time_s, 1.5e-6, 1e-18);
        g_assert_cmpstr(s->run, ==, CASES[i].run);
        g_assert_cmpstr(s->machine, ==, CASES[i].machine);
        g_assert_cmpstr(s->place, ==, CASES[i].place);
        g_assert_cmpint(s->p, ==, CASES[i].p);
        g_assert_cmpint(s->per_node, ==, CASES[i].per_node);
    }
    // An id of Open MPI is an alias, unless there is a name; 0 is the library's own choice.
    g_autoptr(Log) ids =
        read_good("collective,ompi_id,p,bytes,min_run_us,max_run_us\nbcast,6,8,8,1,2\nbcast,0,8,8,1,2\n", NULL, NULL);
    g_assert_cmpstr(sample(ids, 0)->algorithm, ==, "ompi:6");
    g_assert_cmpstr(sample(ids, 1)->algorithm, ==, "library");
    g_assert_cmpfloat_with_epsilon(sample(ids, 0)->time_s, 1e-6, 1e-18);
    g_autoptr(Log) named = read_good("collective,algorithm,ompi_id,p,bytes,avg_us\nbcast,chain,6,8,8,1\n", NULL, NULL);
    g_assert_cmpstr(sample(named, 0)->algorithm, ==, "chain");
    assert_refused("machine,L_us,G_ns_per_B,S_bytes\nx,1,2,3\n", NULL, NULL,
                   "f:1: figures of machines (alpha_us, L_us ..) are not measurements; allowed: a CSV with the columns "
                   "bytes (or size_bytes) and a time");
}

// Of several times the first that some row has is read, and rows without it or with a bad flag are counted.
static void test_dropped(void)
{
    g_autoptr(Log) log = read_good("bytes,avg_us,max_us,flags\n1,2,4,\n2,2,,\n3,2,4,few_iters\n"
                                   "4,2,4,cray_mpich_cvar|few_iters\n5,2,4,few_iters|zero_block\n6,2,4,noisy\n"
                                   "7,2,4,noisy\n",
                                   "pingpong", NULL);
    g_assert_cmpuint(log->samples->len, ==, 3);
    for (guint i = 0; i < 3; i++) {
        g_assert_cmpuint(sample(log, i)->bytes, ==, i == 0 ? 1 : i + 2);
        g_assert_cmpfloat_with_epsilon(sample(log, i)->time_s, 4e-6, 1e-18);
    }
    g_assert_cmpuint(log->passed->len, ==, 3);
    g_assert_cmpstr(passed(log, 0), ==, "1 row without max_us");
    g_assert_cmpstr(passed(log, 1), ==, "1 row flagged zero_block");
    g_assert_cmpstr(passed(log, 2), ==, "2 rows flagged noisy");
    g_autoptr(Log) averages = read_good("bytes,avg_us,max_us\n1,2,\n2,3,\n", "pingpong", NULL);
    g_assert_cmpstr(averages->time_is, ==, "avg_us");
    g_assert_cmpuint(averages->samples->len, ==, 2);
    assert_refused("bytes,max_us\n1,\n", "pingpong", NULL, "f:2: max_us is ``; allowed: a number, 0 or above");
}

// ---- Which rows -----------------------------------------------------------------------------------------------------

static void test_where(void)
{
    static const char TEXT[] = "run,kind,bytes,time_us\na,x,1,1\na,y,2,1\nb,x,3,1\nc,x,4,1\n";
    static const struct {
        char *where[4];
        guint samples, dropped;
    } CASES[] = {
        {{NULL}, 4, 0},
        {{"run=a"}, 2, 2},
        {{"run=a", "run=c"}, 3, 1},
        {{"run=a", "kind=x", "run=c"}, 2, 2},
        {{"f.csv:run=a"}, 2, 2},
        {{"g.csv:run=a"}, 4, 0},
        {{"g.csv:run=a", "f.csv:kind=y"}, 1, 3},
    };
    for (guint i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *dropped =
            g_strdup_printf("%u row%s that --where drops", CASES[i].dropped, CASES[i].dropped == 1 ? "" : "s");
        g_autoptr(Log) log =
            read_as("dir/f.csv", TEXT, "pingpong", &(LogReading){.where = (char **)CASES[i].where}, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(log->samples->len, ==, CASES[i].samples);
        g_assert_cmpstr(passed(log, 0), ==, CASES[i].dropped ? dropped : NULL);
    }
    g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
    g_autoptr(GError) error = NULL;
    g_ptr_array_add(logs, read_good(TEXT, "pingpong", NULL));
    g_assert_true(logs_check_where(NULL, logs, NULL));
    g_assert_true(logs_check_where((char *[]){"run=a", "f:run=a", NULL}, logs, NULL));
    g_assert_false(logs_check_where((char *[]){"run=a", "g:run=a", NULL}, logs, &error));
    g_assert_cmpstr(error->message, ==,
                    "--where g:run=a is for none of the files; allowed: a column of a CSV among them");
    static const struct {
        const char *where, *message;
    } BAD[] = {
        {"run", "--where run; allowed: COLUMN=VALUE, or FILE:COLUMN=VALUE"},
        {"=a", "--where =a; allowed: COLUMN=VALUE, or FILE:COLUMN=VALUE"},
        {":run=a", "--where :run=a; allowed: COLUMN=VALUE, or FILE:COLUMN=VALUE"},
        {"f:=a", "--where f:=a; allowed: COLUMN=VALUE, or FILE:COLUMN=VALUE"},
        {"day=a", "--where: f:1: column `day` is missing; the header has run, kind, bytes, time_us"},
        {"run=z", "f: no measurement that can be used: 4 rows that --where drops"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(BAD); i++)
        assert_refused(TEXT, "pingpong", &(LogReading){.where = (char *[]){(char *)BAD[i].where, NULL}},
                       BAD[i].message);
}

// Rows that contradict each other, and what is said about them; NULL if they do not.
static void test_agree(void)
{
    static const struct {
        const char *text, *label, *where, *message;
    } CASES[] = {
        {"run,bytes,time_us\na,1,1\na,2,1\n", "pingpong", NULL, NULL},
        {"run,bytes,time_us\na,1,1\n,2,1\n", "pingpong", NULL, NULL}, // one row does not say it
        {"run,bytes,time_us\n,1,1\na,2,1\nb,2,1\n", "pingpong", NULL,
         "f:3 has run a, and f:4 has run b; allowed: rows of one run, as with --where run=a, or labels that choose "
         "such "
         "rows"},
        {"run,bytes,time_us\na,1,1\nb,2,1\n", "pingpong", "run=b", NULL},
        {"timestamp,collective,algorithm,p,bytes,time_us\n1,bcast,chain,4,1,1\n1,bcast,chain,4,8,1\n2,reduce,chain,4,1,"
         "1\n",
         NULL, NULL,
         "f:2 has timestamp 1, and f:4 has timestamp 2; allowed: rows of one run, as with --where timestamp=1, or "
         "labels "
         "that choose such rows"},
        {"timestamp,collective,algorithm,p,bytes,time_us\n1,bcast,chain,4,1,1\n1,bcast,chain,4,8,1\n2,reduce,chain,4,1,"
         "1\n",
         "one=bcast:chain:4", NULL, NULL},
        {"system,bytes,time_us\na,1,1\nb,2,1\n", "pingpong", NULL,
         "f:2 has system a, and f:3 has system b; allowed: rows of one machine, as with --where system=a, or labels "
         "that "
         "choose such rows"},
        {"map_by,bytes,time_us\ncore,1,1\nsocket,1,1\n", "pingpong", NULL,
         "f:2 has map_by core, and f:3 has map_by socket; allowed: rows of one placement, as with --where map_by=core, "
         "or labels that choose such rows"},
        {"ppn,p,collective,algorithm,bytes,time_us\n1,84,bcast,chain,1,1\n42,84,bcast,chain,1,1\n", NULL, NULL,
         "f:2 has ppn 1, and f:3 has ppn 42; allowed: rows of one number of ranks a node, as with --where ppn=1, or "
         "labels "
         "that choose such rows"},
        {"ppn,p,collective,algorithm,bytes,time_us\n42,84,bcast,chain,1,1\n42,2,bcast,chain,1,1\n", NULL, NULL, NULL},
        {"ppn,p,collective,algorithm,bytes,time_us\n42,84,bcast,chain,1,1\n42,42,bcast,chain,1,1\n", "one=bcast:chain",
         NULL, "f:2 has ranks on several nodes, and f:3 on one node; allowed: rows of one level, as with --where p=84"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
        char *where[] = {(char *)CASES[i].where, NULL};
        g_ptr_array_add(logs, read_good(CASES[i].text, CASES[i].label, &(LogReading){.where = where}));
        g_assert_cmpint(logs_agree(logs, &error), ==, CASES[i].message == NULL);
        g_assert_cmpstr(error ? error->message : NULL, ==, CASES[i].message);
    }
    // Two files may be of different runs, but not of different machines.
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
        g_ptr_array_add(logs, read_as("e", "machine,run,bytes,time_us\nx,a,1,1\n", "one@far", NULL, &error));
        g_ptr_array_add(logs, read_as("g", "bytes,time_us\n1,1\n", "one@near", NULL, &error));
        g_ptr_array_add(logs,
                        read_as("f", i ? "system,run,bytes,time_us\ny,b,1,1\n" : "system,run,bytes,time_us\nx,b,1,1\n",
                                "one@node", NULL, &error));
        g_assert_no_error(error);
        g_assert_cmpint(logs_agree(logs, &error), ==, i == 0);
        g_assert_cmpstr(error ? error->message : NULL, ==,
                        i ? "e:2 has machine x, and f:2 has system y; allowed: rows of one machine, as with --where "
                            "machine=x, or labels that choose such rows"
                          : NULL);
    }
}

// ---- Mutations ------------------------------------------------------------------------------------------------------

// Returns the text with up to 3 of its characters replaced by others that it may have; free with g_free.
static char *mutated(const char *text, GRand *rand)
{
    static const char SPICE[] = "\n,\"=:|0.9p-*/()x ";
    char *const all = g_strdup(text);
    for (int n = g_rand_int_range(rand, 0, 4); n > 0; n--)
        all[g_rand_int_range(rand, 0, (gint32)strlen(text))] = SPICE[g_rand_int_range(rand, 0, sizeof SPICE - 1)];
    return all;
}

// A changed file of names, log or condition gives samples within the limits, or one error.
static void test_mutations(void)
{
    static const char NAMES[] = "theirs,ours,params,collective,where,bytes,factor,element,per_node,map\n"
                                "wheel,ring,,allgather,,\"max(1,bytes/p)\",p/(p-1),4,ceil(p/2),cyclic\n"
                                "tree,knomial,radix=4,bcast,how=fast,,,,2,\n";
    static const char TEXT[] = "collective,algorithm,how,run,p,ppn,bytes,median_ns,flags\n"
                               "ALLGATHER,wheel,,a,4,2,64,3,few_iters\nbcast,tree,fast,b,7,2,64,3,\n"
                               "bcast,tree,slow,b,7,2,64,3,noisy\n";
    g_autoptr(GRand) rand = g_rand_new_with_seed(15);
    guint good = 0, bad = 0;
    for (int i = 0; i < 5000; i++) {
        g_autofree char *names_text = mutated(NAMES, rand), *text = mutated(TEXT, rand), *run = mutated("run=a", rand);
        char *where[] = {i % 3 ? NULL : run, NULL};
        g_autoptr(GError) error = NULL;
        g_autoptr(LogNames) names = log_names_parse(names_text, strlen(names_text), "n", &error);
        const LogReading how = {.names = names, .bytes = (LogBytes)(i % 3), .where = where};
        g_autoptr(Log) log = names ? read_as("f", text, NULL, &how, &error) : NULL;
        g_assert_true(!log == (error != NULL));
        bad += !log;
        for (guint k = 0; log && k < log->samples->len; k++) {
            const LogSample *s = sample(log, k);
            g_assert_true(s->bytes <= LIMIT_BYTES && isfinite(s->time_s) && s->per_node >= 0 && s->factor >= 1e-9);
            good++;
        }
        if (error)
            g_assert_null(strpbrk(error->message, "\n\r"));
    }
    g_assert_cmpuint(good, >, 500);
    g_assert_cmpuint(bad, >, 1000);
}

// ---- Published measurements -----------------------------------------------------------------------------------------

// Returns the path of a file of the published measurements; free with g_free. NULL, and the test is skipped, if it is
// not there.
static char *published(const char *folder, const char *name)
{
    const char *given = g_getenv("COLLSIM_MEASURED");
    g_autofree char *path = g_build_filename(given ? given : "../shared/measured", folder, name, NULL);
    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return g_steal_pointer(&path);
    g_test_skip("NO MEASUREMENTS: set COLLSIM_MEASURED to their folder");
    return NULL;
}

// Reads a table of the published measurements with a file of experiments/names/. Returns NULL if it is not there.
static Log *read_published(const char *name, const char *names_file)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = published(".", name);
    g_autofree char *claims = share_path(SHARE_CLAIMS, NULL);
    g_autofree char *names_path = g_build_filename(claims, "..", "names", names_file, NULL);
    g_autoptr(LogNames) names = log_names_read(names_path, &error);
    g_assert_no_error(error);
    Log *log = path ? log_read(path, NULL, &(LogReading){.names = names}, &error) : NULL;
    g_assert_no_error(error);
    return log;
}

// Compares a row of a list with the sample that was read from its line.
static void check_row(const Csv *rows, size_t row, const LogSample *s)
{
    const char *const ours = csv_field(rows, row, csv_column(rows, "algorithm"));
    const char *const what = csv_field(rows, row, csv_column(rows, "collective"));
    size_t bytes = 0;
    double us = 0;
    int p = 0, per_node = 0;
    g_assert_true(csv_size(rows, row, csv_column(rows, "bytes"), 0, LIMIT_BYTES, &bytes, NULL));
    g_assert_true(csv_number(rows, row, csv_column(rows, "measured_us"), &us, NULL));
    g_assert_true(csv_int(rows, row, csv_column(rows, "p"), 1, LIMIT_RANKS, &p, NULL));
    g_assert_true(csv_int(rows, row, csv_column(rows, "per_node"), 1, LIMIT_RANKS, &per_node, NULL));
    g_assert_cmpint(s->p, ==, p);
    g_assert_cmpint(s->per_node, ==, per_node);
    g_assert_cmpfloat_with_epsilon(s->time_s * 1e6 * (s->kind == LOG_COLLECTIVE ? s->factor : 1), us, 1e-9 * us);
    if (*ours) {
        g_autofree char *algorithm = g_strdup_printf("%s%s%s", s->algorithm, *s->params ? " " : "", s->params);
        g_assert_cmpstr(log_kind_name(s->kind, s->collective), ==, what);
        // The lists say radix 8 of what the source of that benchmark runs with radix 2 (docs/FIDELITY.md).
        g_assert_cmpstr(algorithm, ==, strcmp(ours, "k_bruck radix=8") == 0 ? "k_bruck radix=2" : ours);
        g_assert_cmpuint(s->bytes, ==, bytes);
        g_assert_cmpfloat(s->factor, ==, 1);
    } else if (g_str_has_prefix(what, "pipelinedring")) {
        g_assert_true(s->collective == COLL_ALLGATHER && strcmp(s->algorithm, "ring") == 0);
        g_assert_cmpuint(s->bytes, ==, MAX(1, bytes / (size_t)p));
        g_assert_cmpfloat_with_epsilon(s->factor, p / (p - 1.0), 1e-12);
    } else if (g_str_has_prefix(what, "nwaydissemination")) {
        g_assert_true(s->collective == COLL_ALLREDUCE && strcmp(s->algorithm, "recursive_doubling") == 0);
        g_assert_cmpuint(s->bytes, ==, MAX(4, bytes));
        g_assert_cmpfloat(s->factor, ==, 1);
    } else
        g_assert_cmpuint(s->bytes, ==, bytes);
}

// Adds the lines of a log that were read to a table from line to sample.
static GHashTable *lines_of(const Log *log)
{
    GHashTable *lines = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < log->samples->len; i++)
        g_hash_table_insert(lines, GUINT_TO_POINTER(sample(log, i)->line), (gpointer)(uintptr_t)sample(log, i));
    return lines;
}

// Checks the rows of a list that are in one file, and returns how many there were; *unread counts those that the reader
// passed over.
static guint check_rows(const Csv *rows, const char *file, const Log *log, guint *unread)
{
    g_autoptr(GHashTable) lines = lines_of(log);
    guint n = 0;
    for (size_t row = 0; row < csv_rows(rows); row++) {
        size_t line = 0;
        if (strcmp(csv_field(rows, row, csv_column(rows, "file")), file) != 0)
            continue;
        g_assert_true(csv_size(rows, row, csv_column(rows, "line"), 2, G_MAXUINT, &line, NULL));
        const LogSample *const s = g_hash_table_lookup(lines, GSIZE_TO_POINTER(line));
        if (s)
            check_row(rows, row, s);
        else
            (*unread)++;
        n++;
    }
    return n;
}

static void test_published(void)
{
    static const struct {
        const char *rows, *file, *names;
        guint n, unread;
    } SETS[] = {
        {"cloud_noise.csv", "cloud_noise_collectives.csv", "cloud_noise.csv", 122, 0},
        {"cloud_noise.csv", "cloud_noise_pingpong.csv", "cloud_noise.csv", 100, 0},
        {"cloudlab.csv", "cloudlab_osu.csv", "cloudlab.csv", 234, 0},
        {"leonardo.csv", "pico_collectives.csv", "pico.csv", 557, 0},
        {"lumi.csv", "pico_collectives.csv", "pico.csv", 332, 0},
        {"orfeo.csv", "orfeo_osu.csv", "orfeo.csv", 4536, 63}, // Open MPI's own choice on 2 ranks
        {"peak.csv", "peak_osu.csv", "peak.csv", 1210, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(SETS); i++) {
        g_autoptr(GError) error = NULL;
        guint unread = 0;
        g_autofree char *path = published("rows", SETS[i].rows);
        g_autoptr(Log) log = path ? read_published(SETS[i].file, SETS[i].names) : NULL;
        g_autoptr(Csv) rows = log ? csv_read(path, &error) : NULL;
        g_assert_no_error(error);
        if (!rows)
            return;
        g_assert_cmpuint(check_rows(rows, SETS[i].file, log, &unread), ==, SETS[i].n);
        g_assert_cmpuint(unread, ==, SETS[i].unread);
    }
}

// A table that is not one of measurements is refused by a line that says so.
static void test_parameters(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = published(".", "machine_parameters.csv");
    if (!path)
        return;
    g_assert_null(log_read(path, NULL, NULL, &error));
    g_assert_nonnull(strstr(error->message, "figures of machines (alpha_us, L_us ..) are not measurements"));
}

static void add(void)
{
    g_test_add_func("/log_names/names", test_names);
    g_test_add_func("/log_names/own", test_own_names);
    g_test_add_func("/log_names/schedules", test_schedules);
    g_test_add_func("/log_names/bad", test_bad_names);
    g_test_add_func("/log_names/bytes", test_bytes);
    g_test_add_func("/log_names/columns", test_columns);
    g_test_add_func("/log_names/dropped", test_dropped);
    g_test_add_func("/log_names/where", test_where);
    g_test_add_func("/log_names/agree", test_agree);
    g_test_add_func("/log_names/mutations", test_mutations);
    g_test_add_func("/log_names/published", test_published);
    g_test_add_func("/log_names/parameters", test_parameters);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
