// Files for Intel MPI, NCCL and PGMPITuneLib: what is read, which traps are found, and that what is written reads back.
#include "libraries/targets/target.h"
#include <string.h>

static TargetFile *parse(TargetId id, const char *text)
{
    g_autoptr(GError) error = NULL;
    TargetFile *file = target_parse(text, strlen(text), "f", &targets[id], &error);
    g_assert_no_error(error);
    return file;
}

static const char PROFILE[] =
    "# test\nMPI_Allgather # collective\n4 # ranks\n3\n1 allgather_as_allreduce\n"
    "2 allgather_as_alltoall\n3 allgather_as_gather_bcast\n4 # ranges\n16 16 1\n32 32 2\n64 128 1\n"
    "1024 2048 3\n";

static void test_profile(void)
{
    g_autoptr(TargetFile) file = parse(TARGET_PGMPI, PROFILE);
    g_assert_cmpuint(file->traps->len, ==, 0);
    g_assert_cmpuint(file->rules->len, ==, 4);
    g_assert_cmpstr(target_rule(file, COLL_ALLGATHER, 0, 4, 2048)->runs, ==, "allgather_as_gather_bcast");
    g_assert_cmpstr(target_rule(file, COLL_ALLGATHER, 0, 4, 100)->runs, ==, "allgather_as_allreduce");
    g_assert_null(target_rule(file, COLL_ALLGATHER, 0, 4, 129));
    g_assert_null(target_rule(file, COLL_ALLGATHER, 0, 8, 100));
}

static void test_intel(void)
{
    g_autoptr(TargetFile) file =
        parse(TARGET_INTEL, "# mine\nexport I_MPI_ADJUST_ALLREDUCE=\"1:0-2047@4-16,8@32;2:2048-4194304\"\n"
                            "export I_MPI_ADJUST_BCAST=3\n");
    g_assert_cmpuint(file->traps->len, ==, 0);
    g_assert_cmpstr(target_rule(file, COLL_ALLREDUCE, 0, 16, 2047)->runs, ==, "1 Recursive doubling");
    g_assert_null(target_rule(file, COLL_ALLREDUCE, 0, 17, 2047));
    g_assert_nonnull(target_rule(file, COLL_ALLREDUCE, 0, 32, 8));
    g_assert_cmpint(target_rule(file, COLL_ALLREDUCE, 0, 1000, 2048)->id, ==, 2);
    g_assert_cmpstr(target_rule(file, COLL_BCAST, 0, 7, 1)->runs, ==, "3 Ring");
}

static void test_tuner(void)
{
    g_autoptr(TargetFile) file = parse(TARGET_NCCL, "# rows\nallreduce,0,65535,tree,ll,-1,2,16,-1,-1\n"
                                                    "allreduce,65536,18446744073709551615,ring,simple,8,-1,-1\n");
    g_assert_cmpuint(file->traps->len, ==, 0);
    g_assert_cmpstr(target_rule(file, COLL_ALLREDUCE, 2, 16, 65535)->runs, ==, "tree/ll");
    g_assert_null(target_rule(file, COLL_ALLREDUCE, 4, 16, 65535));
    g_assert_cmpstr(target_rule(file, COLL_ALLREDUCE, 4, 9, (size_t)1 << 45)->runs, ==, "ring/simple, 8 channels");
}

// Each text has one trap, in this line and of this kind, whose sentence has these words.
static void test_traps(void)
{
    static const struct {
        TargetId target;
        const char *text;
        size_t line;
        TrapKind kind;
        const char *words;
    } cases[] = {
        {TARGET_NCCL, "collective,min_bytes,max_bytes\n", 1, TRAP_UNREAD, "it has 3 fields"},
        {TARGET_NCCL, "allreduce,0,64K,tree,ll,-1,-1,-1\n", 1, TRAP_MISREAD, "'64K'"},
        {TARGET_NCCL, "AllReduce,0,64,tree,ll,-1,-1,-1\n", 1, TRAP_MISREAD, "taken for allreduce"},
        {TARGET_NCCL, "allreduce,0,64,trees,ll,-1,-1,-1\n", 1, TRAP_MISREAD, "taken for ring"},
        {TARGET_NCCL, "allreduce,0,64,tree,LL,-1,-1,-1\n", 1, TRAP_MISREAD, "taken for simple"},
        {TARGET_NCCL, "allreduce,64,8,tree,ll,-1,-1,-1\n", 1, TRAP_DEAD, "end before they begin"},
        {TARGET_NCCL, "broadcast,0,64,tree,ll,-1,-1,-1\n", 1, TRAP_ELSE, "no tree/ll for broadcast"},
        {TARGET_NCCL, "allreduce,0,64,nvls,ll,-1,-1,-1\n", 1, TRAP_ELSE, "no nvls/ll"},
        {TARGET_NCCL, "allreduce,0,64,tree,ll,-1,-1,-1\nallreduce,8,16,ring,ll,-1,2,4\n", 2, TRAP_DEAD, "line 1"},
        {TARGET_NCCL, "allreduce,0,64,tree,ll,-1,-1,-1,-1,-1,5\n", 1, TRAP_UNREAD, "field 10"},
        {TARGET_NCCL, "allreduce,0,64,tree,,ll,-1,-1,-1\n", 1, TRAP_SHIFTED, "empty field"},
        {TARGET_INTEL, "I_MPI_ADJUST_BCAST=1\n", 1, TRAP_UNREAD, "not exported"},
        {TARGET_INTEL, "export I_MPI_ADJUST_BCAST=99\n", 1, TRAP_ELSE, "no id 99"},
        {TARGET_INTEL, "export I_MPI_ADJUST_BCASTS=1\n", 1, TRAP_UNREAD, "not a variable"},
        {TARGET_INTEL, "export I_MPI_ADJUST_IBCAST=1\n", 1, TRAP_UNREAD, "not a variable"},
        {TARGET_INTEL, "export I_MPI_ADJUST_BCAST=1:0-9;2:10-20\n", 1, TRAP_UNREAD, "first ;"},
        {TARGET_INTEL, "export I_MPI_ADJUST_BCAST=\"1:0-64K\"\n", 1, TRAP_MISREAD, "'64K'"},
        {TARGET_INTEL, "export I_MPI_ADJUST_BCAST=\"1:9-0\"\n", 1, TRAP_DEAD, "ends before it begins"},
        {TARGET_INTEL, "export I_MPI_ADJUST_BCAST=\"1;2:8-16\"\n", 1, TRAP_DEAD, "no call reaches this"},
        {TARGET_INTEL, "export I_MPI_ADJUST_BCAST=1\nexport I_MPI_ADJUST_BCAST=2\n", 1, TRAP_DEAD, "line 2 sets"},
        {TARGET_INTEL, "export PATH=x\n", 1, TRAP_UNREAD, "does not set"},
        {TARGET_PGMPI, "", 1, TRAP_START, "ends before the name"},
        {TARGET_PGMPI, "MPI_Barrier\n4\n", 1, TRAP_START, "not a function"},
        {TARGET_PGMPI, "MPI_Scan\n", 1, TRAP_START, "ends before the number of ranks"},
        {TARGET_PGMPI, "MPI_Scan\n\n4\n", 2, TRAP_CRASH, "lacks the number of ranks"},
        {TARGET_PGMPI, "MPI_Scan\n0\n", 2, TRAP_MISREAD, "'0'"},
        {TARGET_PGMPI, "MPI_Scan\n4\n1\n1 scan_as_gather\n1\n1 2 1\n", 4, TRAP_START, "not a mock-up"},
        {TARGET_PGMPI, "MPI_Scan\n4\n1\n1 scan_as_exscan_reducelocal\n0\n", 5, TRAP_MISREAD, "number of ranges"},
        {TARGET_PGMPI, "MPI_Scan\n4\n1\n1 scan_as_exscan_reducelocal\n2\n1 2 1\n", 6, TRAP_START,
         "ends before a range"},
        {TARGET_PGMPI, "MPI_Scan\n4\n1\n1 scan_as_exscan_reducelocal\n1\n2 1 1\n", 6, TRAP_START,
         "ends before it begins"},
        {TARGET_PGMPI, "MPI_Scan\n4\n1\n1 scan_as_exscan_reducelocal\n1\n1 2 7\n", 6, TRAP_CRASH, "no mock-up"},
        {TARGET_PGMPI, "MPI_Scan\n4\n1\n1 scan_as_exscan_reducelocal\n1\n1 3000000000 1\n", 6, TRAP_MISREAD,
         "3000000000"},
        {TARGET_PGMPI, "MPI_Scan\n4\n1\n1 scan_as_exscan_reducelocal\n1\n1 2 1\n3 4 1\n", 7, TRAP_UNREAD,
         "nothing is read"},
        {TARGET_PGMPI, "MPI_Scan\n4\n1\n1 scan_as_exscan_reducelocal\n2\n1 9 1\n3 4 1\n", 7, TRAP_DEAD, "line 6"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TargetFile) file = parse(cases[i].target, cases[i].text);
        g_test_message("case %zu: %s", i, cases[i].text);
        for (guint k = 0; k < file->traps->len; k++)
            g_test_message("  %s", g_array_index(file->traps, Trap, k).text);
        g_assert_cmpuint(target_n_traps(file), ==, 1);
        const Trap *trap = &g_array_index(file->traps, Trap, 0);
        g_assert_cmpuint(trap->line, ==, cases[i].line);
        g_assert_cmpint(trap->kind, ==, cases[i].kind);
        g_assert_nonnull(strstr(trap->text, cases[i].words));
    }
}

// What is read of a text is written, and reads the same.
static void check_written(TargetId id, const char *text)
{
    g_autoptr(TargetFile) file = parse(id, text);
    g_autoptr(GPtrArray) header = g_ptr_array_new();
    g_ptr_array_add(header, (char[]){"a comment"});
    g_autofree char *written = target_text(&targets[id], file->rules, header);
    g_assert_true(g_str_has_prefix(written, "# a comment\n"));
    g_autoptr(TargetFile) again = parse(id, written);
    g_assert_cmpuint(target_n_traps(again), ==, 0);
    g_assert_cmpuint(again->rules->len, ==, file->rules->len);
    for (guint i = 0; i < file->rules->len; i++) {
        const TargetRule *a = &g_array_index(file->rules, TargetRule, i),
                         *b = target_rule(again, a->collective, a->nodes, (int)a->ranks.first, (size_t)a->bytes.first);
        g_assert_nonnull(b);
        g_assert_cmpstr(a->runs, ==, b->runs);
        g_assert_cmpint(a->bytes.last, ==, b->bytes.last);
        g_assert_cmpint(a->ranks.last, ==, b->ranks.last);
    }
}

static void test_written(void)
{
    check_written(TARGET_PGMPI, PROFILE);
    check_written(TARGET_INTEL, "export I_MPI_ADJUST_BCAST=\"1:0-9@4-7;3:10-20@4-7;1:0-30@8-9\"\n");
    check_written(TARGET_NCCL, "allreduce,8,16,ring,ll,-1,2,16\nallreduce,0,65535,tree,ll,-1,2,16\n"
                               "allgather,0,18446744073709551615,pat,simple,-1,-1,-1\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/targets/profile", test_profile);
    g_test_add_func("/targets/intel", test_intel);
    g_test_add_func("/targets/tuner", test_tuner);
    g_test_add_func("/targets/traps", test_traps);
    g_test_add_func("/targets/written", test_written);
    return g_test_run();
}
