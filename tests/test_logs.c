// Logs of other programs: texts and the samples that they must give, labels, the errors with their lines, and 30,000
// mutations. Each mutation must give samples or one error with the file's name.
#include "base/error.h"
#include "base/limits.h"
#include "measurements/logs/logs.h"
#include "sample.h"
#include "tap.h"
#include <math.h>
#include <string.h>

static const char osu_old[] =
    "Warning: Permanently added 'n2' to the list of known hosts.\n"
    "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n"
    "0                       1.27\n1                       1.25\n4194304               368.07\n";
static const char osu_full[] = "\n# OSU MPI Allreduce Latency Test v7.0\n"
                               "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
                               "4                      82.69             78.98             85.16        1000\r\n"
                               "8                      61.67             57.72             67.40        1000\n";
static const char osu_new[] =
    "# OSU MPI-CUDA All-to-All Personalized Exchange Latency Test v7.5\n# Datatype: MPI_CHAR.\n"
    "# Size       Avg Latency(us)        Validation\n1         12.46              Pass\n\n"
    "# OSU MPI Barrier Latency Test v7.5\n# Avg Latency(us)\n             3.25\n"
    "# OSU MPI Reduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
    "# Size       Avg Latency(us)   P50 Tail Lat(us)   P99 Tail Lat(us)\n16 5 5 6\n";
static const char imb[] =
    "#------------------------------------------------------------\n#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n"
    "# MPI_Datatype for reductions    :   MPI_DOUBLE\n\n"
    "# Benchmarking PingPong\n# #processes = 2\n# ( 2 additional processes waiting in MPI_Barrier)\n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n            0         1000         2.68         0.00\n"
    "            1         1000         2.70         0.37\n\n"
    "# Benchmarking Sendrecv\n# #processes = 4\n#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   "
    "Mbytes/sec\n"
    "            0         1000         4.06         4.16         4.06        0.00\n"
    "# Benchmarking Allreduce\n# #processes = 1\n#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "            8         1000         0.03         0.03         0.03\n"
    "# Benchmarking Allreduce\n# ( #processes = 4 )\n#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      "
    "defects\n"
    "            8         1000         1.93         2.01         1.97         0.00\n"
    "      1048576 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use \"-time X\"\n"
    "# Benchmarking Barrier\n# #processes = 4\n #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "         1000        22.93        22.95        22.94\n\n# All processes entering MPI_Finalize\n";
static const char netgauge[] =
    "Testing 1 bytes 100 times:\n# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
    "# to get o: plot \"./loggp.out\" using 1:(($5-$3)/($2-1)-$3)\n"
    "1 10 4.327000 8.476000 44.175000 2.163500 0.100556 0.613667 -nan -nan -nan\n"
    "1025 10 6.622000 11.811000 67.340000 2.163500 0.124444 0.809111 -0.460887 0.000113 nan\n";
static const char csv[] =
    "collective,algorithm,params,p,bytes,root,time_s,ran,counts\n"
    "pingpong,sendrecv,,2,8,0,1.5e-06,,\nallreduce,segmented_ring,segment=64K,4,1048576,0,0.001,,\n"
    "gatherv,linear,,4,64,3,2e-05,,equal\ngatherv,linear,,4,64,3,2e-05,,linear\n";

static const char osu_rates[] =
    "# OSU MPI Bandwidth Test v5.6.2\n# Size      Bandwidth (MB/s)\n8    4.00\n16    0.00\n"
    "# OSU MPI Bi-Directional Bandwidth Test v7.0\n# Datatype: MPI_CHAR.\n# Size      Bandwidth (MB/s)\n"
    "1000000             20000.00\n"
    "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6.2\n# [ pairs: 4 ] [ window size: 64 ]\n"
    "# Size                  MB/s        Messages/s\n1                       8.00        8000000.00\n";

static Log *parse_how(const char *text, const char *label, const LogReading *how, GError **error)
{
    g_auto(LogLabel) parsed = {0};
    const char *path;
    g_autofree char *argument = g_strconcat(label ? label : "", label ? "=" : "", "f", NULL);
    g_assert_true(log_label(argument, &parsed, &path, NULL));
    g_assert_cmpstr(path, ==, "f");
    return log_parse(text, strlen(text), "f", &parsed, how, error);
}

static Log *parse(const char *text, const char *label, GError **error)
{
    return parse_how(text, label, NULL, error);
}

static const LogSample *sample(const Log *log, guint i)
{
    g_assert_cmpuint(i, <, log->samples->len);
    return &g_array_index(log->samples, LogSample, i);
}

static void assert_sample(const Log *log, guint i, LogSampleKind kind, guint line, size_t bytes, double time_s, int p)
{
    const LogSample *s = sample(log, i);
    g_assert_cmpint(s->kind, ==, kind);
    g_assert_cmpuint(s->line, ==, line);
    g_assert_cmpuint(s->bytes, ==, bytes);
    g_assert_cmpfloat_with_epsilon(s->time_s, time_s, 1e-15);
    g_assert_cmpint(s->p, ==, p);
}

static void assert_refused(const char *text, const char *label, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(parse(text, label, &error));
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
}

// Returns a good text in which `from`, at its first place, is replaced by `to`; free with g_free.
static char *changed(const char *text, const char *from, const char *to)
{
    GString *all = g_string_new(text);
    g_assert_cmpuint(g_string_replace(all, from, to, 1), ==, 1);
    return g_string_free(all, FALSE);
}

// The log passed over these rows and no others; `second` may be NULL.
static void assert_passed(const Log *log, const char *first, const char *second)
{
    g_assert_cmpuint(log->passed->len, ==, second ? 2 : 1);
    g_assert_cmpstr(g_ptr_array_index(log->passed, 0), ==, first);
    if (second)
        g_assert_cmpstr(g_ptr_array_index(log->passed, 1), ==, second);
}

static void test_osu(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) old = parse(osu_old, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(old->samples->len, ==, 3);
    assert_sample(old, 0, LOG_ONE_WAY, 4, 0, 1.27e-6, 2);
    assert_sample(old, 2, LOG_ONE_WAY, 6, 4194304, 368.07e-6, 2);

    g_autoptr(Log) full = parse(osu_full, "allreduce:ompi:6:8", &error); // the alias ompi:6 contains a colon itself
    g_assert_no_error(error);
    assert_sample(full, 0, LOG_COLLECTIVE, 4, 4, 85.16e-6, 8);
    g_assert_cmpstr(sample(full, 1)->algorithm, ==, "ompi:6");
    g_assert_cmpint(sample(full, 1)->collective, ==, COLL_ALLREDUCE);
    g_assert_cmpuint(sample(full, 1)->element, ==, 4); // it does not say that they are floats
    g_assert_cmpstr(full->time_is, ==, "the largest of the ranks' averages");

    g_autoptr(Log) all = parse(osu_new, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(all->samples->len, ==, 3);
    assert_sample(all, 0, LOG_COLLECTIVE, 4, 1, 12.46e-6, 0);
    g_assert_cmpint(sample(all, 0)->collective, ==, COLL_ALLTOALL);
    assert_sample(all, 1, LOG_COLLECTIVE, 8, 0, 3.25e-6, 0);
    g_assert_cmpuint(sample(all, 2)->element, ==, 1); // as the line Datatype says
    g_assert_cmpuint(sample(all, 2)->sweep, ==, 3);
}

// A job's output: what the batch system, the launcher and other programs print stands before, in and behind the tables,
// one benchmark is not known, and another suite follows. What is passed over is said by line.
static void test_job(void)
{
    static const char TEXT[] =
        "export UCX_TLS=rc\ntime srun -n 2 osu_latency\n"
        "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n0                1.61\n"
        "[n01:17] WARNING: no OpenFabrics device, 2 hosts\n8                1.75\n\n"
        "real\t0m2.270s\nuser\t0m0.073s\n12:30:07 done\n"
        "# OSU MPI Put Latency Test v5.8\n# Size Latency (us)\n8 5.5\nlost\n"
        "# OSU MPI Broadcast Latency Test v5.8\n# Size       Avg Latency(us)\n8      3.5\n16    slow\n"
        "# Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# Benchmarking PingPong\n# #processes = 2\n"
        "#bytes #repetitions t[usec] Mbytes/sec\n4 1000 2.5 1.6\nslurmstepd: error: killed\n";
    static const char *const PASSED[] = {
        "line 11: Size is '12:30:07'; allowed: an integer from 0 to 2^50",
        ("line 12: this OSU test cannot be used; allowed: osu_latency, osu_multi_lat, osu_bw, osu_bibw, osu_mbw_mr and "
         "the blocking "
         "collectives"),
        "line 19: a time is 'slow'; allowed: a number, 0 or above",
        "lines 6, 9 to 10, 25, not in a table",
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse(TEXT, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(log->samples->len, ==, 4);
    assert_sample(log, 0, LOG_ONE_WAY, 5, 0, 1.61e-6, 2);
    assert_sample(log, 1, LOG_ONE_WAY, 7, 8, 1.75e-6, 2);
    assert_sample(log, 2, LOG_COLLECTIVE, 18, 8, 3.5e-6, 0);
    assert_sample(log, 3, LOG_ONE_WAY, 24, 4, 2.5e-6, 2);
    g_assert_cmpuint(log->passed->len, ==, G_N_ELEMENTS(PASSED));
    for (guint i = 0; i < G_N_ELEMENTS(PASSED); i++)
        g_assert_cmpstr(g_ptr_array_index(log->passed, i), ==, PASSED[i]);
}

// Launchers say in front of each line which rank printed it; stderr may be among them.
static void test_prefixes(void)
{
    static const char *const PREFIXES[] = {"[1,0]<stdout>:", "[prterun-n1-2977@1,0]<stdout>: ", "[0] ", "0: ", "  0: "};
    for (guint i = 0; i < G_N_ELEMENTS(PREFIXES); i++) {
        g_auto(GStrv) lines = g_strsplit("# OSU MPI Latency Test v7.0\n# Size Latency (us)\n8 1.5\n16 1.75", "\n", -1);
        g_autoptr(GString) text = g_string_new("[1,0]<stderr>:no device\n");
        for (char **line = lines; *line; line++)
            g_string_append_printf(text, "%s%s\n", PREFIXES[i], *line);
        g_autoptr(GError) error = NULL;
        g_autoptr(Log) log = parse(text->str, NULL, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(log->samples->len, ==, 2);
        assert_sample(log, 1, LOG_ONE_WAY, 5, 16, 1.75e-6, 2);
    }
}

// Many faults are counted, after the first ones, and so are many lines that are not in a table.
static void test_faults(void)
{
    g_autoptr(GString) text = g_string_new(osu_old);
    for (int i = 0; i < 40; i++)
        g_string_append(text, "1 x\ntext\n");
    g_autoptr(Log) log = parse(text->str, NULL, NULL);
    g_assert_cmpuint(log->samples->len, ==, 3);
    g_assert_cmpuint(log->passed->len, ==, 10);
    g_assert_cmpstr(g_ptr_array_index(log->passed, 7), ==, "line 21: a time is 'x'; allowed: a number, 0 or above");
    g_assert_cmpstr(g_ptr_array_index(log->passed, 8), ==,
                    "lines 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30 .., not in a table");
    g_assert_cmpstr(g_ptr_array_index(log->passed, 9), ==, "32 more lines like these");
}

// nccl-tests: the label says what ran unless a line does, and busbw must be that of the collective.
static void test_nccl(void)
{
    static const char TEXT[] =
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 1024 step: 2(factor)\n# Using devices\n"
        "#  Rank  0 Group  0 Pid 1 on n1 device  0 [0000:04:00] NVIDIA H100\n"
        "#  Rank  1 Group  0 Pid 2 on n1 device  1 [0000:05:00] NVIDIA H100\n#\n"
        "#       size  count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
        "#        (B)  (elements)  (us)  (GB/s)  (GB/s)  (us)  (GB/s)  (GB/s)\n"
        "1048576 524288 half sum -1 156.7 6.69 6.69 0 135.7 7.73 7.73 0\nwarning\n"
        "2097152 1048576 half sum -1 256.7 8.17 8.17 3 135.7 7.73 7.73 0\n# Out of bounds values : 0 OK\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse(TEXT, "allreduce", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(log->samples->len, ==, 1);
    assert_sample(log, 0, LOG_COLLECTIVE, 8, 1048576, 156.7e-6, 2);
    g_assert_cmpuint(sample(log, 0)->element, ==, 2);
    g_assert_cmpuint(log->passed->len, ==, 3);
    g_assert_cmpstr(g_ptr_array_index(log->passed, 1), ==, "line 10: the data were wrong: #wrong is 3");
    g_assert_cmpstr(g_ptr_array_index(log->passed, 2), ==, "line 9, not in a table");
    assert_refused(TEXT, NULL,
                   "f:6: output of nccl-tests, which does not say which collective it measured; allowed: a label, as "
                   "allreduce=f, in compare and plot, or allreduce:ring=f in calibrate and validate");
    assert_refused(
        TEXT, "allgather",
        "f:8: busbw is 6.69 and algbw 6.69, which is not all_gather on 2 ranks; allowed: the label of another "
        "collective");
    // On 2 ranks the two rates of an allreduce are equal, but for 2 % and the rounding of two decimals: 0.1538 here.
    g_autofree char *near = changed(TEXT, "6.69 6.69 0", "6.69 6.84 0"),
                    *far = changed(TEXT, "6.69 6.69 0", "6.69 6.85 0");
    g_autoptr(Log) kept = parse(near, "allreduce", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(kept->samples->len, ==, 1);
    assert_refused(
        far, "allreduce",
        "f:8: busbw is 6.85 and algbw 6.69, which is not all_reduce on 2 ranks; allowed: the label of another "
        "collective");
    g_autofree char *named = g_strconcat("# Collective test starting: all_gather_perf\n", TEXT, NULL),
                    *gathers = changed(named, "6.69 6.69 0", "6.69 3.35 0");
    g_autoptr(Log) gather = parse(gathers, NULL, &error);
    g_assert_no_error(error);
    assert_sample(gather, 0, LOG_COLLECTIVE, 9, 524288, 156.7e-6, 2); // a block
}

// OSU's lines about the buffers are remarks, and so was the version in brackets of its first releases.
static void test_osu_headers(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse("# OSU MPI-CUDA Latency Test v7.3\n"
                               "# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)\n# Datatype: MPI_CHAR.\n"
                               "# Size       Avg Latency(us)\n1                      12.34\n",
                               NULL, &error);
    g_assert_no_error(error);
    assert_sample(log, 0, LOG_ONE_WAY, 5, 1, 12.34e-6, 2);
    assert_passed(log, "line 2: the buffers are a GPU's, which no model knows", NULL);
    g_autoptr(Log) old =
        parse("# OSU MPI Latency Test (Version 2.2)\n# Size\t\tLatency (us) \n8\t\t1.5\n", NULL, &error);
    g_assert_no_error(error);
    assert_sample(old, 0, LOG_ONE_WAY, 3, 8, 1.5e-6, 2);
}

// What the bandwidth tests print becomes the time from one message of a sender to its next.
static void test_osu_rates(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse(osu_rates, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(log->samples->len, ==, 3);
    assert_sample(log, 0, LOG_WINDOW, 3, 8, 2e-6, 2);
    assert_sample(log, 1, LOG_WINDOW_BOTH, 8, 1000000, 100e-6, 2);
    assert_sample(log, 2, LOG_WINDOW, 12, 1, 0.5e-6, 8);
    assert_passed(log, "1 row with a rate of 0", NULL);
}

static void test_imb(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse(imb, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(log->samples->len, ==, 5);
    assert_sample(log, 1, LOG_ONE_WAY, 10, 1, 2.7e-6, 2);
    assert_sample(log, 2, LOG_SENDRECV, 15, 0, 4.16e-6, 4);
    assert_sample(log, 3, LOG_COLLECTIVE, 23, 8, 2.01e-6, 4);
    g_assert_cmpuint(sample(log, 3)->element, ==, 8); // MPI_DOUBLE
    g_assert_null(sample(log, 3)->algorithm);
    assert_sample(log, 4, LOG_COLLECTIVE, 28, 0, 22.95e-6, 4);
    assert_passed(log, "1 row of one process", "1 row of sizes that timed out");
}

static void test_netgauge(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse(netgauge, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(log->samples->len, ==, 2);
    assert_sample(log, 1, LOG_PRTT, 5, 1025, 3.311e-6, 2);
    const LogPrtt *t = &sample(log, 1)->prtt;
    // Every field, and no two of them are equal in the log.
    const struct {
        double is, due;
    } fields[] = {{t->one, 6.622e-6}, {t->many, 11.811e-6},  {t->apart, 67.34e-6}, {t->receive, 0.809111e-6},
                  {t->L, 2.1635e-6},  {t->o_s, 0.124444e-6}, {t->g, -0.460887e-6}, {t->G, 0.113e-9}};
    g_assert_cmpint(t->n, ==, 10);
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
        g_assert_cmpfloat_with_epsilon(fields[i].is, fields[i].due, 1e-15);
    g_assert_true(isnan(t->lsqu) && isnan(sample(log, 0)->prtt.g));
}

static void test_csv(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse(csv, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(log->samples->len, ==, 3); // the row with unequal blocks is passed over
    assert_sample(log, 0, LOG_ONE_WAY, 2, 8, 1.5e-6, 2);
    assert_sample(log, 1, LOG_COLLECTIVE, 3, 1 << 20, 1e-3, 4);
    g_assert_cmpstr(sample(log, 1)->params, ==, "segment=64K");
    g_assert_cmpint(sample(log, 2)->root, ==, 3);
    static const char *const units[] = {"time_s", "median_ms", "max_us", "mean_ns"};
    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        g_autofree char *text = g_strdup_printf("run,size_bytes,%s\nx,64,2\n", units[i]);
        g_autoptr(Log) one = parse(text, "pingpong", &error);
        g_assert_no_error(error);
        assert_sample(one, 0, LOG_ONE_WAY, 2, 64, 2 * pow(1e-3, i), 2);
        g_assert_cmpstr(one->time_is, ==, units[i]);
    }
    // If there are several columns of times, the median is taken, whatever their order.
    g_autoptr(Log) several = parse("bytes,min_us,median_us,p\n64,1,2,4\n", "bcast:binomial", &error);
    g_assert_no_error(error);
    assert_sample(several, 0, LOG_COLLECTIVE, 2, 64, 2e-6, 4);
}

static void test_probes(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log =
        parse("collective,p,bytes,time_us,oversubscribed\nreduce_local,1,1024,0.5,0\npingpong,2,8,1,1\n"
              "bcast,4,8,3,1\nbcast,2,8,3,\n",
              NULL, &error);
    static const gboolean crowded[] = {FALSE, TRUE, TRUE, FALSE};
    g_assert_no_error(error);
    assert_sample(log, 0, LOG_REDUCE, 2, 1024, 5e-7, 1);
    assert_sample(log, 1, LOG_ONE_WAY, 3, 8, 1e-6, 2);
    for (guint i = 0; i < G_N_ELEMENTS(crowded); i++)
        g_assert_cmpint(sample(log, i)->crowded, ==, crowded[i]);
    g_autoptr(Log) labelled = parse("bytes,time_ns\n64,40\n", "reduce_local", &error);
    g_assert_no_error(error);
    assert_sample(labelled, 0, LOG_REDUCE, 2, 64, 4e-8, 1);
}

// The elements of a bcast are not those of the log's reductions; each table has its own number of ranks.
static void test_imb_elements(void)
{
    static const struct {
        const char *type;
        size_t element;
    } TYPES[] = {{"MPI_CHAR", 1},  {"MPI_BYTE", 1},   {"MPI_INT", 4},  {"MPI_FLOAT", 4},
                 {"MPI_SHORT", 2}, {"MPI_DOUBLE", 8}, {"MPI_LONG", 8}, {"MPI_C_DOUBLE_COMPLEX", 16}};
    for (guint i = 0; i < G_N_ELEMENTS(TYPES); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text =
            g_strdup_printf("# Intel(R) MPI Benchmarks\n# MPI_Datatype : MPI_SHORT\n# Benchmarking Reduce\n# "
                            "MPI_Datatype for reductions : %s\n"
                            "# #processes = 3\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                            "64 9 1 3 2\n# Benchmarking Bcast\n# #processes = 5\n"
                            "#bytes #repetitions t_avg[usec] t_max[usec] t_min[usec]\n64 9 2 3 1\n"
                            "128 9 2 4 4\n# Benchmarking Reduce_scatter\n# #processes = 2\n"
                            "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 9 1 7 2\n",
                            TYPES[i].type);
        g_autoptr(Log) log = parse(text, NULL, &error);
        g_assert_no_error(error);
        const size_t elements[] = {TYPES[i].element, 2, 2, TYPES[i].element};
        g_assert_cmpuint(log->samples->len, ==, G_N_ELEMENTS(elements));
        for (guint k = 0; k < log->samples->len; k++)
            g_assert_cmpuint(sample(log, k)->element, ==, elements[k]);
        assert_sample(log, 0, LOG_COLLECTIVE, 7, 64, 3e-6, 3);
        assert_sample(log, 1, LOG_COLLECTIVE, 11, 64, 3e-6, 5);
        assert_sample(log, 2, LOG_COLLECTIVE, 12, 128, 4e-6, 5);
        assert_sample(log, 3, LOG_COLLECTIVE, 16, 8, 7e-6, 2);
        g_assert_true(sample(log, 0)->sweep == 1 && sample(log, 1)->sweep == 2 && sample(log, 2)->sweep == 2);
        g_assert_cmpstr(log->time_is, ==, "t_max[usec]");
    }
}

// The element of an OSU table is what its line Datatype says. Before 7.1 there is none, and reductions are of floats.
// --element is for reductions, and counts more. A table has up to 12 columns.
static void test_osu_elements(void)
{
    static const struct {
        const char *test, *type, *version;
        size_t element;
    } CASES[] = {
        {"Allreduce", "", "7.0", 4},
        {"Allreduce", "", "5.6.3", 4},
        {"Allreduce", "", "7.1", 1},
        {"Allreduce", "", "10.0", 1},
        {"Broadcast", "", "5.6.3", 1},
        {"Allreduce", "# Datatype: MPI_CHAR.\n", "7.1", 1},
        {"Allreduce", "# Datatype: MPI_INT.\n", "7.1", 4},
        {"Reduce", "# Datatype: MPI_FLOAT.\n", "7.1", 4},
        {"Reduce", "# Datatype: MPI_DOUBLE.\n", "7.1", 8},
    };
    for (guint i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *text = g_strdup_printf("# OSU MPI %s Latency Test v%s\n%s# Size Avg Latency(us)\n64 2\n",
                                                CASES[i].test, CASES[i].version, CASES[i].type);
        g_autoptr(Log) log = parse(text, NULL, NULL);
        g_assert_cmpuint(sample(log, 0)->element, ==, CASES[i].element);
        g_autoptr(Log) given = parse_how(text, NULL, &(const LogReading){.element = 2}, NULL);
        g_assert_cmpuint(sample(given, 0)->element, ==, strcmp(CASES[i].test, "Broadcast") == 0 ? 1 : 2);
        g_assert_true((given->elements != NULL) == (*CASES[i].type != '\0'));
    }
    for (int columns = 12; columns <= 13; columns++) {
        g_autoptr(GString) text = g_string_new("# OSU MPI Reduce Latency Test v7.4\n# Size Avg Latency(us)");
        for (int i = 2; i < columns; i++)
            g_string_append(text, " P99 Tail Lat(us)");
        g_string_append(text, "\n64 2");
        for (int i = 2; i < columns; i++)
            g_string_append(text, " 3");
        g_autoptr(Log) log = parse(text->str, NULL, NULL);
        g_assert_cmpint(log != NULL, ==, columns == 12);
    }
}

// Without a line MPI_Datatype, IMB reduces floats.
static void test_imb_float(void)
{
    g_autofree char *text = changed(imb, "# MPI_Datatype for reductions    :   MPI_DOUBLE\n", "");
    g_autoptr(Log) log = parse(text, NULL, NULL);
    g_assert_cmpuint(sample(log, 3)->element, ==, 4);
}

// Of several columns of times, the first of time, median, max, avg, mean and min is read, in whatever order they stand.
static void test_csv_times(void)
{
    static const char *const NAMES[] = {"time_us", "median_us", "max_us", "avg_us", "mean_us", "min_us"};
    for (guint first = 0; first < G_N_ELEMENTS(NAMES); first++)
        for (guint reverse = 0; reverse < 2; reverse++) {
            g_autoptr(GString) head = g_string_new("bytes"), row = g_string_new("64");
            const guint n = G_N_ELEMENTS(NAMES) - first;
            for (guint k = 0; k < n; k++) {
                const guint i = first + (reverse ? n - 1 - k : k);
                g_string_append_printf(head, ",%s", NAMES[i]);
                g_string_append_printf(row, ",%u", i + 1);
            }
            g_autofree char *text = g_strdup_printf("%s\n%s\n", head->str, row->str);
            g_autoptr(GError) error = NULL;
            g_autoptr(Log) log = parse(text, "pingpong", &error);
            g_assert_no_error(error);
            g_assert_cmpstr(log->time_is, ==, NAMES[first]);
            assert_sample(log, 0, LOG_ONE_WAY, 2, 64, (first + 1) * 1e-6, 2);
        }
}

// All optional columns, and what they refuse.
static void test_csv_columns(void)
{
    static const char ALL[] =
        "ranks,root,per_node,map,element,oversubscribed,counts,collective,algorithm,size_bytes,time_us,"
        "p,params\n8,7,4,cyclic:4,1024,1,equal,bcast,binomial,64,5,9,a=1\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse(ALL, NULL, &error);
    g_assert_no_error(error);
    const LogSample *s = sample(log, 0);
    assert_sample(log, 0, LOG_COLLECTIVE, 2, 64, 5e-6, 8); // ranks, not p
    g_assert_true(s->root == 7 && s->per_node == 4 && s->element == 1024 && s->crowded);
    g_assert_cmpstr(s->params, ==, "a=1");
    g_assert_cmpstr(s->map, ==, "cyclic:4");
    g_assert_cmpstr(s->algorithm, ==, "binomial");
    g_autofree char *zero = changed(ALL, "1024", "0"), *large = changed(ALL, "1024", "1025"),
                    *root = changed(ALL, "8,7", "8,8"), *old = changed(ALL, "ranks,", "other,"),
                    *bytes = changed(ALL, "ranks,", "bytes,");
    assert_refused(zero, NULL, "f:2: element is `0`; allowed: an integer from 1 to 1024");
    assert_refused(large, NULL, "f:2: element is `1025`; allowed: an integer from 1 to 1024");
    assert_refused(root, NULL, "f:2: root 8; allowed: 0 .. 7");
    assert_refused(bytes, NULL, "f:1: both bytes and size_bytes; allowed: one of them");
    assert_refused(ALL, "bcast:chain", "f:2: the algorithm is binomial, the label says chain");
    assert_refused(ALL, "bcast:binomial:4", "f:2: the log is of 8 ranks, the label says 4");
    assert_refused(ALL, "bcast:binomial:9", "f:2: the log is of 8 ranks, the label says 9");
    g_autoptr(Log) labelled = parse(ALL, "bcast:binomial:8", NULL);
    g_autoptr(Log) by_p = parse(old, NULL, NULL);
    g_assert_cmpint(sample(labelled, 0)->p, ==, 8);
    g_assert_cmpint(sample(by_p, 0)->p, ==, 9); // the name before 1.0
    assert_refused("collective,p,bytes,time_s\npingpong,1,8,1\n", NULL, "f:2: a ping-pong of 1 rank; allowed: 2");
    g_autoptr(Log) ends = parse("bytes,time_s\n8,1e-15\n8,1e9\n0,0\n1125899906842624,1\n", "pingpong", NULL);
    g_assert_cmpuint(ends->samples->len, ==, 4);
    assert_refused("bytes,time_s\n8,9e-16\n", "pingpong", "f:2: a time of 9e-16 s; allowed: 0, or 1e-15 to 1e9 s");
    assert_refused("bytes,time_s\n8,1.1e9\n", "pingpong", "f:2: a time of 1.1e+09 s; allowed: 0, or 1e-15 to 1e9 s");
}

// A log has at most LIMIT_LOG_ROWS rows, however short they are.
static void test_large(void)
{
    g_autoptr(GString) text = g_string_new("# OSU MPI Latency Test v5\n# Size Latency (us)\n");
    for (int i = 0; i < LIMIT_LOG_ROWS; i++)
        g_string_append(text, "8 1\n");
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) log = parse(text->str, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(log->samples->len, ==, LIMIT_LOG_ROWS);
    g_string_append(text, "8 1\n");
    g_assert_null(parse(text->str, NULL, &error));
    g_assert_cmpstr(error->message, ==, "f:262147: the file has too many rows; allowed: at most 262144");
}

static void test_labels(void)
{
    static const struct {
        const char *argument, *path, *error; // error: how it begins; NULL if there is none
    } CASES[] = {
        {"dir/a=b.txt", "dir/a=b.txt", NULL},
        {"pingpong=a=b", "a=b", NULL},
        {"allreduce=f", "f", NULL},
        {"allreduce:ring=f", "f", NULL},
        {"allreduce:mpich:ring:16=f", "f", NULL},
        {"pingpong:2=f", NULL, "label pingpong:2: a ping-pong has no algorithm; allowed: pingpong=FILE"},
        {"reduce_local=f", "f", NULL},
        {"reduce_local:sum=f", NULL,
         "label reduce_local:sum: reduce_local has no algorithm; allowed: reduce_local=FILE"},
        {"bcast:binomial:134217728=f", "f", NULL},
        {"allreduce:ompi-4.1:3=f", "f", NULL},
        {"allreduce:ompi-4.1:ring:16=f", "f", NULL},
        {"allreduce:ompi-4.1:9:16=f", NULL, "label allreduce:ompi-4.1:9:16: allreduce has no algorithm `ompi-4.1:9`"},
        {"allreduce:library=f", "f", NULL},
        {"allreduce:library:4608=f", "f", NULL},
        {"allreduce:ompi-5:auto=f", "f", NULL},
        {"allreduce:ompi-5:auto:72x64=f", "f", NULL},
        {"allreduce:ompi-5:auto:72x=f", NULL, "label allreduce:ompi-5:auto:72x: `72x` is not a number of ranks"},
        {"allreduce:ompi-5:auto:4,8=f", NULL, "label allreduce:ompi-5:auto:4,8: `4,8` is not a number of ranks"},
        {"allreduce::auto:4=f", NULL, "label allreduce::auto:4: allreduce has no algorithm `:auto`; allowed: "},
        {"bcast:binomial:134217729=f", NULL, "label bcast:binomial:134217729: `134217729` is not a number of ranks"},
        {"bcast:binomial:0=f", NULL, "label bcast:binomial:0: `0` is not a number of ranks"},
        {"bcast:binomial:x=f", NULL, "label bcast:binomial:x: `x` is not a number of ranks"},
        {"bcast:binomail:4=f", NULL,
         "label bcast:binomail:4: bcast has no algorithm `binomail`, did you mean binomial? allowed: "},
        {"bcast:=f", NULL, "label bcast:: bcast has no algorithm ``; allowed: "},
        {"one@=f", NULL, "label one@: `` is not a level; allowed: a level of the platform, such as node, or far"},
        {"gap@a b=f", NULL, "label gap@a b: `a b` is not a level; allowed: a level of the platform, such as node"},
        {"gap=pingpong=f", NULL,
         "label gap=pingpong: rows of pingpong do not determine `gap`; allowed: window, or a collective"},
        {"step=reduce_local=f", NULL,
         "label step=reduce_local: rows of reduce_local do not determine `step`; allowed: sendrecv, window_both, or "
         "a "},
        {"one=sendrecv=f", NULL,
         "label one=sendrecv: rows of sendrecv do not determine `one`; allowed: pingpong, or a collective"},
        {"one=bcast:ring:0=f", NULL, "label bcast:ring:0: "},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_auto(LogLabel) label = {0};
        g_autoptr(GError) error = NULL;
        const char *path = NULL;
        g_assert_cmpint(log_label(CASES[i].argument, &label, &path, &error), ==, !CASES[i].error);
        if (CASES[i].error)
            g_assert_true(g_str_has_prefix(error->message, CASES[i].error));
        else
            g_assert_cmpstr(path, ==, CASES[i].path);
    }
}

// The part, the level and what was measured, as labels give them.
static void test_parts(void)
{
    static const struct {
        const char *argument, *path;
        LogPart part;
        const char *level, *measured; // NULL if not given
        int p;
    } CASES[] = {
        {"one=f", "f", LOG_PART_ONE, "far", NULL, 0},
        {"one@node=f", "f", LOG_PART_ONE, "node", NULL, 0},
        {"step@far=dir/f=g", "dir/f=g", LOG_PART_STEP, "far", NULL, 0},
        {"gap=netgauge.out", "netgauge.out", LOG_PART_GAP, "far", NULL, 0},
        {"one=bcast:pipeline:8=f", "f", LOG_PART_ONE, "far", "bcast", 8},
        {"step@node=allreduce:ompi:4:8=f", "f", LOG_PART_STEP, "node", "allreduce", 8},
        {"one@node:bcast:pipeline:8=f", "f", LOG_PART_ONE, "node", "bcast", 8},
        {"gap:window=f", "f", LOG_PART_GAP, "far", "window", 0},
        {"gap=window=f", "f", LOG_PART_GAP, "far", "window", 0},
        {"step=window_both=f", "f", LOG_PART_STEP, "far", "window_both", 0},
        {"sendrecv=f", "f", LOG_PART_NONE, NULL, "sendrecv", 0},
        {"ones=f", "ones=f", LOG_PART_NONE, NULL, NULL, 0},
        {"one", "one", LOG_PART_NONE, NULL, NULL, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_auto(LogLabel) label = {0};
        const char *path = NULL;
        g_assert_true(log_label(CASES[i].argument, &label, &path, NULL));
        g_assert_cmpstr(path, ==, CASES[i].path);
        g_assert_cmpint(label.part, ==, CASES[i].part);
        g_assert_cmpstr(label.level, ==, CASES[i].level);
        g_assert_cmpint(label.given, ==, CASES[i].measured != NULL);
        g_assert_cmpint(label.p, ==, CASES[i].p);
        if (label.given)
            g_assert_cmpstr(log_kind_name(label.kind, label.collective), ==, CASES[i].measured);
    }
}

// A label reads the rows that it asks for, and the others are counted.
static void test_selection(void)
{
    static const char MANY[] = "collective,algorithm,p,bytes,time_us\nbcast,pipeline,8,64,1\nbcast,pipeline,4,64,2\n"
                               "bcast,ompi:3,8,128,3\nbcast,chain,8,64,4\npingpong,,2,64,5\nallreduce,ring,8,64,6\n";
    static const struct {
        const char *text, *label;
        guint samples, first; // first: the line of the first sample
        LogSampleKind kind;
    } CASES[] = {
        {MANY, "one@node=bcast:pipeline:8", 2, 2, LOG_COLLECTIVE}, // ompi:3 is pipeline
        {MANY, "one@node=bcast", 4, 2, LOG_COLLECTIVE},
        {MANY, "one@node", 1, 6, LOG_ONE_WAY},
        {MANY, "step@node=allreduce:ring", 1, 7, LOG_COLLECTIVE},
        {imb, "step@node", 1, 15, LOG_SENDRECV},
        {imb, "one@node", 2, 9, LOG_ONE_WAY},
        {imb, "allreduce:ring", 1, 23, LOG_COLLECTIVE},
        {imb, "barrier:linear:4", 1, 28, LOG_COLLECTIVE},
        {imb, "pingpong", 2, 9, LOG_ONE_WAY},
        {MANY, "allreduce", 1, 7, LOG_COLLECTIVE},
        {MANY, "bcast:pipeline:8", 2, 2, LOG_COLLECTIVE},
        {netgauge, "one@node", 2, 4, LOG_PRTT},
        {netgauge, "gap@node", 2, 4, LOG_PRTT},
        {osu_rates, "gap@node", 2, 3, LOG_WINDOW},
        {osu_rates, "step@node", 1, 8, LOG_WINDOW_BOTH},
        {"bytes,time_us\n8,1\n", "one@node", 1, 2, LOG_ONE_WAY}, // without a column `collective` the part decides
        {"bytes,time_us\n8,1\n", "step@node", 1, 2, LOG_SENDRECV},
        {"bytes,time_us\n8,1\n", "gap@node", 1, 2, LOG_WINDOW},
    };
    for (guint i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Log) log = parse(CASES[i].text, CASES[i].label, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(log->samples->len, ==, CASES[i].samples);
        for (guint k = 0; k < log->samples->len; k++) {
            g_assert_cmpint(sample(log, k)->kind, ==, CASES[i].kind);
            g_assert_cmpint(sample(log, k)->part != LOG_PART_NONE, ==, strchr(CASES[i].label, '@') != NULL);
            g_assert_cmpstr(sample(log, k)->level, ==, strchr(CASES[i].label, '@') ? "node" : NULL);
        }
        g_assert_cmpuint(sample(log, 0)->line, ==, CASES[i].first);
    }
    g_autoptr(Log) log = parse(MANY, "one=bcast:pipeline:8", NULL);
    assert_passed(log, "4 rows that the label does not ask for", NULL);
    assert_refused(netgauge, "step", "f:4: rows of netgauge's loggp do not determine `step`");
    assert_refused(osu_old, "gap", "f:4: rows of pingpong do not determine `gap`");
    assert_refused(osu_old, "sendrecv", "f:4: the log is of pingpong, the label says sendrecv");
    assert_refused("bytes,p,time_us\n8,1,1\n", "step", "f:2: sendrecv of 1 rank; allowed: 2 or more");
}

static void test_bad(void)
{
    static const struct {
        const char *text, *from, *to, *label, *message;
        guint kept; // how many samples can still be read; 0 if the file is refused
    } CASES[] = {
        {osu_old, "Latency (us)", "Latency (ms)", NULL,
         "f:3: unknown column `Latency (ms)`; allowed: Size, then times in (us), Iterations"},
        {osu_full, "Max Latency(us)", "Max Latency(ms)", NULL,
         "f:3: unknown column `Max Latency(ms)  Ite`; allowed: Size, then times in (us), Iterations"},
        {osu_old, "1.25", "1.2.5", NULL, "f:5: a time is '1.2.5'; allowed: a number, 0 or above", 2},
        {osu_old, "1.25", "-1.25", NULL, "f:5: a time is '-1.25'; allowed: a number, 0 or above", 2},
        {osu_old, "1.25", "nan", NULL, "f:5: a time is 'nan'; allowed: a number, 0 or above", 2},
        {osu_old, "1.25", "1.25us", NULL, "f:5: a time is '1.25us'; allowed: a number, 0 or above", 2},
        {osu_old, "\n1  ", "\n1K  ", NULL, "f:5: Size is '1K'; allowed: an integer from 0 to 2^50", 2},
        {osu_old, "1.25", "1.25 7", NULL, "f:5: 3 fields; allowed: 2, as in the header", 2},
        {osu_old, "1.25", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33",
         NULL, "f:5: 32 fields; allowed: 2, as in the header", 2},
        {osu_old, "Latency Test", "Put Bandwidth Test", NULL,
         "f:2: this OSU test cannot be used; allowed: osu_latency, osu_multi_lat, osu_bw, osu_bibw, osu_mbw_mr and the "
         "blocking "
         "collectives"},
        {osu_old, "MPI Latency", "MPI Non-blocking Bcast Latency", NULL,
         "f:2: this OSU test cannot be used; allowed: osu_latency, osu_multi_lat, osu_bw, osu_bibw, osu_mbw_mr and the "
         "blocking "
         "collectives"},
        {osu_full, "67.40", "60.40", NULL, "f:5: the average is not between the smallest and the largest time", 1},
        {osu_full, "57.72", "61.67", NULL, NULL},
        {osu_full, "67.40", "61.67", NULL, NULL},
        {osu_full, "57.72", "61.68", NULL, "f:5: the average is not between the smallest and the largest time", 1},
        {osu_old, "Latency (us)", "Latency (us) Avg Latency(us)", NULL,
         "f:3: unexpected columns; allowed: Size, Latency or Avg Latency, and more times of the same"},
        {osu_old, "Latency (us)", "Iterations", NULL,
         "f:3: unexpected columns; allowed: Size, Latency or Avg Latency, and more times of the same"},
        {osu_old, "Size          Latency (us)", "Latency (us)", NULL,
         "f:3: unexpected columns; allowed: Size, Latency or Avg Latency, and more times of the same"},
        {osu_new, "# Avg Latency(us)\n   ", "# Size Avg Latency(us)\n 0  ", NULL,
         "f:7: unexpected columns; allowed: Latency or Avg Latency, and more times of the same", 2},
        {osu_old, "Latency (us)\n", "Latency (us)\n# Size          Latency (us)\n", NULL,
         "f:4: a second header within a table"},
        {osu_old, "Latency (us)", "Latency (us) Latency(us)", NULL, "f:3: a column appears twice; allowed: once"},
        {osu_full, "Allreduce", "Allreduce", "bcast:binomial:8", "f:4: the log is of allreduce, the label says bcast"},
        {osu_rates, "pairs: 4", "pairs: 0", NULL, "f:10: pairs is '0'; allowed: an integer from 1 to 2^26", 2},
        {osu_rates, "# [ pairs: 4 ] [ window size: 64 ]\n", "", NULL,
         "f:10: unexpected columns; allowed: what osu_bw, osu_bibw and osu_mbw_mr print", 2},
        {osu_rates, "        Messages/s", "", NULL,
         "f:11: unexpected columns; allowed: what osu_bw, osu_bibw and osu_mbw_mr print", 2},
        {osu_rates, "4.00", "-4.00", NULL, "f:3: a rate is '-4.00'; allowed: a number, 0 or above", 2},
        {osu_rates, "4.00", "1e-300", NULL, "f:3: a time of 8e+294 s; allowed: 0, or 1e-15 to 1e9 s", 2},
        {osu_new, "Pass", "Fail", NULL, "f:4: the data were wrong: validation says Fail", 2},
        {osu_new, "MPI_CHAR", "MPI_LANG", NULL,
         "f:2: unknown datatype MPI_LANG.; allowed: one of MPI's, such as MPI_CHAR or MPI_FLOAT", 3},
        {imb, "t[usec]", "t[msec]", NULL,
         "f:8: unknown column `t[msec]`; allowed: #bytes, #repetitions, t_min[usec], t_max[usec], t_avg[usec], or "
         "t[usec], Mbytes/sec, Msg/sec, defects",
         3},
        {imb, "Barrier\n#", "Barriers\n#", NULL, "f:25: unknown benchmark; allowed: the benchmarks of IMB-MPI1", 4},
        {imb, "1.97         0.00", "1.97         1.00", NULL, "f:23: the data were wrong: defects is 1", 4},
        {imb, "2.70         0.37", "2.70", NULL, "f:10: 3 fields; allowed: 4, as in the header", 4},
        {imb, "# #processes = 2\n", "", NULL,
         "f:7: a header of columns without `# Benchmarking NAME` and `# #processes = P` before it", 3},
        {imb, "( #processes = 4 )", "( #processes = x )", NULL,
         "f:21: #processes is 'x'; allowed: an integer from 1 to 2^27", 4},
        {imb, "( #processes = 4 )", "( #processes = 0 )", NULL,
         "f:21: #processes is '0'; allowed: an integer from 1 to 2^27", 4},
        {imb, "#processes = 4\n", "#processes = 4294967300\n", NULL,
         "f:13: #processes is '4294967300'; allowed: an integer from 1 to 2^27", 4},
        {imb, "#processes = 4\n", "#processes = 2147483647\n", NULL,
         "f:13: #processes is '2147483647'; allowed: an integer from 1 to 2^27", 4},
        {imb, "#processes = 4\n", "#processes = 4x\n", NULL,
         "f:13: #processes is '4x'; allowed: an integer from 1 to 2^27", 4},
        {imb, "    1048576 time", "    1125899906842625 time", NULL,
         "f:24: #bytes is '1125899906842625'; allowed: an integer from 0 to 2^50", 5},
        {imb, "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects",
         "#bytes #repetitions  t_min[usec]  t_avg[usec]  t[usec]      defects", NULL,
         "f:22: Allreduce has other columns; allowed: what IMB-MPI1 prints for it", 4},
        {imb, "       #bytes #repetitions      t[usec]   Mbytes/sec\n", "#bytes #repetitions t_max[usec] Mbytes/sec\n",
         NULL, "f:8: PingPong has other columns; allowed: what IMB-MPI1 prints for it", 3},
        {imb, "       #bytes #repetitions      t[usec]   Mbytes/sec\n", "#repetitions t[usec] Mbytes/sec\n", NULL,
         "f:8: PingPong has other columns; allowed: what IMB-MPI1 prints for it", 3},
        {imb, "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects",
         "#repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects", NULL,
         "f:22: Allreduce has other columns; allowed: what IMB-MPI1 prints for it", 4},
        {imb, "      1048576 time-out.;", "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n1 1 time-out.;",
         NULL, "f:24: a header of columns without `# Benchmarking NAME` and `# #processes = P` before it", 5},
        {imb, "MPI_DOUBLE", "MPI_LANG", NULL,
         "f:3: unknown datatype MPI_LANG; allowed: one of MPI's, such as MPI_BYTE or MPI_FLOAT", 5},
        {imb, "1.93", "2.93", NULL, "f:23: t_min is above t_max", 4},
        {imb, "PingPong", "PingPong", "allreduce:ring:8", "f:9: the log is of pingpong, the label says allreduce"},
        {netgauge, "1025 10", "1025 1", NULL, "f:5: n is 1; allowed: 2 or more messages in a train", 1},
        {netgauge, "1025 10", "1025 4294967298", NULL, "f:5: n is 4294967298; allowed: 2 or more messages in a train",
         1},
        {netgauge, "11.811000", "6.622000", NULL, NULL}, // n messages take as long as one
        {netgauge, "67.340000", "6.622000", NULL, NULL},
        {netgauge, "67.340000", "6.621999", NULL,
         "f:5: n messages take less time than one; allowed: a time above 0 for one message, and no less for n of them",
         1},
        {netgauge, "67.340000", "1.1e15", NULL, "f:5: PRTT(n,PRTT(1,0,s),s) is 1.1e+15 us; allowed: at most 1e15 us",
         1},
        {netgauge, "-0.460887", "-1.1e15", NULL, "f:5: g is -1.1e+15 us; allowed: at most 1e15 us", 1},
        {netgauge, "67.340000 2.163500", "67.340000 -2.163500", NULL, NULL},
        {netgauge, "11.811000 67", "-11.811000 67", NULL,
         "f:5: PRTT(n,0,s) is '-11.811000'; allowed: a number, 0 or above", 1},
        {netgauge, "0.809111", "nan", NULL,
         "f:5: o_r is not a number; allowed: a time above 0 for one message, and no less for n of them", 1},
        {netgauge, "4.327000 ", "4e-300 ", NULL, "f:4: a time of 2e-306 s; allowed: 0, or 1e-15 to 1e9 s", 1},
        {netgauge, "11.811000", "1.811000", NULL,
         "f:5: n messages take less time than one; allowed: a time above 0 for one message, and no less for n of them",
         1},
        {netgauge, "0.809111 ", "", NULL, "f:5: 10 fields; allowed: 11, as in the header", 1},
        {netgauge, "0.000113", "0.0001x3", NULL, "f:5: G is '0.0001x3'; allowed: a number or nan", 1},
        {netgauge, "lsqu(g,G)", "lsqu", NULL,
         "f:1: unknown layout; allowed: output of OSU or IMB benchmarks, of netgauge's loggp, of nccl-tests, or CSV "
         "whose header has "
         "the "
         "columns bytes (or size_bytes) and a time"},
        {csv, "time_s", "time", NULL,
         "f:1: no column of times; allowed: time, median, max, avg, mean or min followed by _s, _ms, _us or _ns, "
         "such "
         "as time_s"},
        {csv, "ran", "max_us", NULL, "f:1: times in two units, max_us and *_s; allowed: one unit"},
        {csv, "pingpong", "pingping", NULL,
         "f:2: unknown collective `pingping`; allowed: pingpong, sendrecv, window, window_both, reduce_local, "
         "single_copy, or one "
         "of "
         "`collsim list`",
         2},
        {csv, "0.001", "0.001x", NULL, "f:3: time_s is `0.001x`; allowed: a number, 0 or above", 2},
        {csv, "segmented_ring,segment=64K,4", "segmented_ring,segment=64K,4294967300", NULL,
         "f:3: p is `4294967300`; allowed: an integer from 0 to 2^27", 2},
        {csv, "1048576", "1125899906842625", NULL,
         "f:3: bytes is `1125899906842625`; allowed: an integer from 0 to 2^50", 2},
        {csv, "sendrecv,,2", "sendrecv,,3", NULL, "f:2: a ping-pong of 3 ranks; allowed: 2", 2},
        {csv, "pingpong,sendrecv", "reduce_local,sum", NULL, "f:2: reduce_local of 2 ranks; allowed: 1", 2},
        {csv, "pingpong", "allreduce", "reduce_local", "f:2: the log is of allreduce, the label says reduce_local"},
        {csv, "64,3,", "64,4,", NULL, "f:4: root 4; allowed: 0 .. 3", 2},
        {csv, "collective", "what", NULL,
         "f:1: no column `collective`, and no label; allowed: pingpong=f for one-way times of two ranks, "
         "bcast:binomial:8=f and the like for others, or --names"},
        {csv, "pingpong", "allreduce", "allreduce:ring:4", "f:2: the log is of 2 ranks, the label says 4"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *text = changed(CASES[i].text, CASES[i].from, CASES[i].to);
        if (CASES[i].message && !CASES[i].kept) {
            assert_refused(text, CASES[i].label, CASES[i].message);
            continue;
        }
        g_autoptr(GError) bad = NULL;
        g_autoptr(Log) good = parse(text, CASES[i].label, &bad);
        g_assert_no_error(bad);
        if (!CASES[i].message)
            continue;
        g_autofree char *passed = g_strconcat("line ", CASES[i].message + strlen("f:"), NULL);
        g_assert_true(g_ptr_array_find_with_equal_func(good->passed, passed, g_str_equal, NULL));
        g_assert_cmpuint(good->samples->len, ==, CASES[i].kept);
    }
    assert_refused("", NULL,
                   "f:1: the file is empty; allowed: output of OSU or IMB benchmarks, of netgauge's loggp, of "
                   "nccl-tests, or CSV whose header "
                   "has the columns bytes (or size_bytes) and a time");
    assert_refused("# OSU MPI Latency Test v5\n# Size          Latency (us)\n", NULL,
                   "f: no measurement that can be used: the table is empty");
    assert_refused("# Benchmarking Allgather\n# #processes = 2\n#bytes #repetitions t_min[usec] t_avg[usec]\n8 1 1 1\n",
                   NULL, "f:3: Allgather has other columns; allowed: what IMB-MPI1 prints for it");
    assert_refused("x\n\xff\n", NULL, "f:2: the line is not text; allowed: UTF-8");
    g_autoptr(GError) error = NULL;
    g_assert_null(log_read("/nonexistent/f", NULL, NULL, &error));
    g_assert_cmpstr(error->message, ==, "/nonexistent/f: No such file or directory; allowed: a readable file");
}

// ---- Fuzz -----------------------------------------------------------------------------------------------------------

static void mutate(GString *text, GRand *rand)
{
    static const char SPICE[] = "#\n\t ,0.9eE-+[]()us\xff";
    const gssize at = text->len ? g_rand_int_range(rand, 0, (gint32)text->len) : 0;
    const char byte = SPICE[g_rand_int_range(rand, 0, sizeof SPICE - 1)];
    const int kind = g_rand_int_range(rand, 0, 5);
    if (kind == 0 || !text->len)
        g_string_insert_c(text, at, byte);
    else if (kind == 1)
        g_string_erase(text, at, 1);
    else if (kind == 2)
        text->str[at] = byte;
    else if (kind == 3)
        g_string_erase(text, at, g_rand_int_range(rand, 0, (gint32)MIN(text->len - (gsize)at, 60)) + 1);
    else if (g_rand_int_range(rand, 0, 6) == 0)
        g_string_truncate(text, (gsize)at);
}

static void test_fuzz(void)
{
    static const char *const seeds[] = {osu_old, osu_full, osu_new, osu_rates, imb, netgauge, csv};
    static const char *const labels[] = {NULL, "pingpong", "allreduce:ring:8", "one", "step=allreduce:ring"};
    g_autoptr(GRand) rand = g_rand_new_with_seed(sample_seed(11));
    const guint inputs = (guint)sample_of(30000, 6000);
    guint good = 0, bad = 0;
    for (guint i = 0; i < inputs; i++) {
        g_autoptr(GString) text = g_string_new(seeds[i % G_N_ELEMENTS(seeds)]);
        for (int n = g_rand_int_range(rand, 1, 6); n > 0; n--)
            mutate(text, rand);
        g_autoptr(GError) error = NULL;
        g_autoptr(Log) log = parse(text->str, labels[g_rand_int_range(rand, 0, G_N_ELEMENTS(labels))], &error);
        g_assert_true(!log == (error != NULL));
        if (!log) {
            bad++;
            g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
            g_assert_true(g_str_has_prefix(error->message, "f:"));
            g_assert_null(strpbrk(error->message, "\n\r"));
            continue;
        }
        good++;
        for (guint k = 0; k < log->samples->len; k++)
            g_assert_true(isfinite(sample(log, k)->time_s) && sample(log, k)->time_s >= 0 && sample(log, k)->p >= 0);
    }
    g_assert_cmpuint(good, >, inputs / 30);
    g_assert_cmpuint(bad, >, inputs / 3);
}

// The extreme rows that are valid: the ranks' times are all equal, there are 2^27 ranks.
static void test_extremes(void)
{
    static const char equal[] = "# OSU MPI Allreduce Latency Test v7.0\n"
                                "# Size Avg Latency(us) Min Latency(us) Max Latency(us) Iterations\n4 5 5 5 1000\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(Log) osu = parse(equal, NULL, &error);
    g_assert_no_error(error);
    assert_sample(osu, 0, LOG_COLLECTIVE, 3, 4, 5e-6, 0);
    g_autoptr(Log) many = parse("collective,ranks,bytes,time_s\nbcast,134217728,8,1e-3\n", NULL, &error);
    g_assert_no_error(error);
    assert_sample(many, 0, LOG_COLLECTIVE, 2, 8, 1e-3, 1 << 27);
}

static void add(void)
{
    g_test_add_func("/logs/osu", test_osu);
    g_test_add_func("/logs/osu_rates", test_osu_rates);
    g_test_add_func("/logs/job", test_job);
    g_test_add_func("/logs/prefixes", test_prefixes);
    g_test_add_func("/logs/faults", test_faults);
    g_test_add_func("/logs/osu_headers", test_osu_headers);
    g_test_add_func("/logs/nccl", test_nccl);
    g_test_add_func("/logs/parts", test_parts);
    g_test_add_func("/logs/selection", test_selection);
    g_test_add_func("/logs/imb", test_imb);
    g_test_add_func("/logs/netgauge", test_netgauge);
    g_test_add_func("/logs/csv", test_csv);
    g_test_add_func("/logs/osu_elements", test_osu_elements);
    g_test_add_func("/logs/imb_elements", test_imb_elements);
    g_test_add_func("/logs/imb_float", test_imb_float);
    g_test_add_func("/logs/csv_times", test_csv_times);
    g_test_add_func("/logs/csv_columns", test_csv_columns);
    g_test_add_func("/logs/large", test_large);
    g_test_add_func("/logs/labels", test_labels);
    g_test_add_func("/logs/probes", test_probes);
    g_test_add_func("/logs/bad", test_bad);
    g_test_add_func("/logs/extremes", test_extremes);
    g_test_add_func("/logs/fuzz", test_fuzz);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
