// Sizes, times, costs per byte and lists: the texts that are read, those that are refused, and how values are printed.
// And the nearest name that is suggested for a wrong one.
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "tap.h"
#include "base/units.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FUZZ_INPUTS = 20000 };
static const size_t max_size = (size_t)1 << 62;

// Fails unless the error is one of bad input, is one line that contains `part`, and says what is allowed.
static void assert_refused(GError *error, const char *input, const char *part)
{
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    if (!strstr(error->message, part))
        g_error("%s is refused by \"%s\", which does not say \"%s\"", input, error->message, part);
    g_assert_nonnull(strstr(error->message, "allowed: "));
    g_assert_null(strpbrk(error->message, "\n\r"));
}

static void test_sizes(void)
{
    static const struct {
        const char *text;
        size_t size;
    } good[] = {{"0", 0},
                {"8", 8},
                {"007", 7},
                {"64K", 65536},
                {"1M", 1048576},
                {"1G", 1 << 30},
                {"0T", 0},
                {"3T", (size_t)3 << 40},
                {"4194304T", (size_t)1 << 62},
                {"4611686018427387904", (size_t)1 << 62},
                {"64B", 64},
                {"64k", 65536},
                {"64kB", 65536},
                {"64KB", 65536},
                {"64KiB", 65536},
                {"1m", 1 << 20},
                {"1MB", 1 << 20},
                {"1MiB", 1 << 20},
                {"1.5M", 1536 << 10},
                {"1.50K", 1536},
                {"0.5KiB", 512},
                {"1.0", 1},
                {"0.0009765625K", 1},
                {"1.00000000000000000000000000000000K", 1024},
                {"4194303.5T", ((size_t)1 << 62) - ((size_t)1 << 39)}};
    static const char *const bad[] = {"",
                                      " ",
                                      "K",
                                      "-1",
                                      "+1",
                                      "1.5",
                                      "0.5B",
                                      "1.00000001K",
                                      "1.K",
                                      ".5K",
                                      "1..5K",
                                      "1.5.5K",
                                      "1,5K",
                                      "0.0000000000000000001K",
                                      "4194304.5T",
                                      "4611686018427387904.5",
                                      "1e400",
                                      "inf",
                                      "nan",
                                      "1 ",
                                      " 1",
                                      "1 K",
                                      "64kb",
                                      "64Kib",
                                      "64Ki",
                                      "1BB",
                                      "1KBB",
                                      "1iB",
                                      "1P",
                                      "1KK",
                                      "0x8",
                                      "1e3",
                                      "8\n",
                                      "4194305T",
                                      "4611686018427387905",
                                      "99999999999999999999999",
                                      "18446744073709551616",
                                      "18014398509481984K"};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        size_t size = 1;
        g_autoptr(GError) error = NULL;
        g_assert_true(units_parse_size(good[i].text, &size, &error));
        g_assert_no_error(error);
        g_assert_cmpuint(size, ==, good[i].size);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        size_t size = 1;
        g_autoptr(GError) error = NULL;
        g_assert_false(units_parse_size(bad[i], &size, &error));
        assert_refused(error, bad[i], "is not a size; allowed: a whole number of bytes from 0 to 2^62");
        g_assert_cmpuint(size, ==, 1);
        g_assert_false(units_parse_size(bad[i], &size, NULL));
    }
}

static void test_times(void)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"0", 0},          {"0.0", 0},      {"0s", 0},        {"1s", 1},         {"1ms", 1e-3},
                {"1us", 1e-6},     {"1ns", 1e-9},   {"1ps", 1e-12},   {"1.6us", 1.6e-6}, {"3us", 3e-6},
                {"0.3us", 0.3e-6}, {"1e-3s", 1e-3}, {"2E+3ns", 2e-6}, {"0e-9999s", 0},   {"1.45us", 1.45e-6}};
    static const char *const bad[] = {"",        "1",     "00.1",  "0.",   "0 ",   "0x",       "us",
                                      "1 us",    "-1us",  "+1us",  "nan",  "nans", "infs",     "inf",
                                      "0x1us",   "1,5us", "1.us",  ".5us", "1eus", "1e99999s", "1e400s",
                                      "1e-400s", "1US",   "1us/B", "1min", "1us ", "\t1us"};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        double seconds = -1;
        g_autoptr(GError) error = NULL;
        units_parse_time(good[i].text, &seconds, &error);
        g_assert_no_error(error);
        g_assert_true(seconds == good[i].seconds);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        double seconds = -1;
        g_autoptr(GError) error = NULL;
        g_assert_false(units_parse_time(bad[i], &seconds, &error));
        assert_refused(error, bad[i], "is not a time; allowed: a decimal number from 0 with s, ms, us, ns or ps");
        g_assert_true(seconds == -1);
    }
}

static void test_per_byte(void)
{
    static const struct {
        const char *text;
        double cost;
    } good[] = {{"0s/B", 0},          {"0.085ns/B", 0.085e-9}, {"0.08ns/B", 0.08e-9},     {"12.5GB/s", 0.08e-9},
                {"1us/B", 1e-6},      {"80ps/B", 80e-12},      {"1ms/B", 1e-3},           {"1B/s", 1},
                {"12500MB/s", 8e-11}, {"1KB/s", 1e-3},         {"0.0848ns/B", 0.0848e-9}, {"0", 0},
                {"1kB/s", 1e-3},      {"1TB/s", 1e-12},        {"100Gb/s", 0.08e-9},      {"100Gbit/s", 0.08e-9},
                {"100Gbps", 0.08e-9}, {"800Mb/s", 1e-8},       {"1GiB/s", 0x1p-30},       {"0.5KiB/s", 0x1p-9},
                {"8Mbit/s", 1e-6},    {"8Mbps", 1e-6},         {"1Tb/s", 8e-12},          {"1MiB/s", 0x1p-20},
                {"1TiB/s", 0x1p-40}};
    static const char *const bad[] = {"",       "1",     "1ns",     "0GB/s",  "0.0B/s", "-1ns/B",     "1Gib/s",
                                      "1gb/s",  "1GB",   "1GBps",   "0GiB/s", "0Gb/s",  "1e308GiB/s", "1ns/b",
                                      "1 ns/B", "nan/B", "infGB/s", "1/B",    "ns/B",   "1e-400B/s",  "1e308GB/s"};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        double cost = -1;
        g_autoptr(GError) error = NULL;
        units_parse_per_byte(good[i].text, &cost, &error);
        g_assert_no_error(error);
        g_assert_true(cost == good[i].cost);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        double cost = -1;
        g_autoptr(GError) error = NULL;
        g_assert_false(units_parse_per_byte(bad[i], &cost, &error));
        assert_refused(error, bad[i], "is not a cost per byte; allowed: ");
        g_assert_true(cost == -1);
    }
}

static void test_per_second(void)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"10M/s", 1e-7}, {"1/s", 1}, {"2.5K/s", 4e-4}, {"2.5k/s", 4e-4}, {"0.5G/s", 2e-9}, {"1e6/s", 1e-6}};
    static const char *const bad[] = {"",     "0",    "0/s",   "0M/s",  "10M",   "10",       "-1/s",    "/s",
                                      "1m/s", "1g/s", "1Mi/s", "1MB/s", "1 M/s", "1e-400/s", "1e309/s", "1e-309/s"};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        double seconds = -1;
        g_autoptr(GError) error = NULL;
        units_parse_per_second(good[i].text, &seconds, &error);
        g_assert_no_error(error);
        g_assert_true(seconds == good[i].seconds);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        double seconds = -1;
        g_autoptr(GError) error = NULL;
        g_assert_false(units_parse_per_second(bad[i], &seconds, &error));
        assert_refused(error, bad[i], "is not a number per second; allowed: a number above 0 with /s, such as 10M/s");
        g_assert_true(seconds == -1);
    }
}

static void test_format(void)
{
    static const struct {
        size_t size;
        const char *text;
    } sizes[] = {{0, "0"},
                 {8, "8"},
                 {1023, "1023"},
                 {1024, "1K"},
                 {65536, "64K"},
                 {1572864, "1536K"},
                 {1 << 20, "1M"},
                 {(1 << 20) + 1, "1048577"},
                 {(size_t)5 << 30, "5G"},
                 {(size_t)1 << 50, "1024T"},
                 {SIZE_MAX, "18446744073709551615"}};
    static const struct {
        double seconds;
        const char *text;
    } times[] = {{0, "0 s"},         {1.23e-6, "1.23 us"},        {4.5e-3, "4.5 ms"},  {2.1, "2.1 s"},
                 {1e-6, "1 us"},     {999.94e-6, "999.9 us"},     {999.96e-6, "1 ms"}, {0.999961, "1 s"},
                 {8e-11, "80 ps"},   {1.23456789e-9, "1.235 ns"}, {5e-14, "0.05 ps"},  {59, "59 s"},
                 {999.99, "1000 s"}, {12345.6, "12346 s"},        {1e300, "1e+300 s"}, {INFINITY, "inf s"}};
    static const struct {
        int p, per_node;
        const char *text;
    } ranks[] = {{64, 0, "64"}, {64, 4, "16x4"}, {64, 1, "64x1"}, {48, 48, "1x48"}, {63, 8, "63"}, {7, 8, "7"}};
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *text = units_format_size(sizes[i].size);
        g_assert_cmpstr(text, ==, sizes[i].text);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
        g_autofree char *text = units_format_time(times[i].seconds);
        g_assert_cmpstr(text, ==, times[i].text);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++) {
        g_autofree char *text = units_format_ranks(ranks[i].p, ranks[i].per_node);
        g_assert_cmpstr(text, ==, ranks[i].text);
    }
}

static void test_about(void)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "10 s"},    {5.1, "10 s"},      {14.9, "10 s"},     {15, "20 s"},       {44, "40 s"},
                 {114, "110 s"}, {115, "2 minutes"}, {149, "2 minutes"}, {151, "3 minutes"}, {7200, "120 minutes"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = units_format_about(cases[i].seconds);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
}

static void test_round_trip(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int i = 0; i < FUZZ_INPUTS; i++) {
        const guint64 bits = (guint64)g_rand_int(rand) << 32 | g_rand_int(rand);
        const size_t size =
            (bits >> g_rand_int_range(rand, 2, 64)) << g_rand_int_range(rand, 0, 2) * 10 & (max_size - 1);
        g_autofree char *text = units_format_size(size);
        size_t read = !size;
        g_assert_true(units_parse_size(text, &read, NULL));
        g_assert_cmpuint(read, ==, size);

        const double seconds = pow(10, g_rand_double_range(rand, -12, 2.9));
        g_autofree char *printed = units_format_time(seconds);
        g_auto(GStrv) parts = g_strsplit(printed, " ", 2);
        g_autofree char *joined = g_strconcat(parts[0], parts[1], NULL);
        double again = -1;
        g_assert_true(units_parse_time(joined, &again, NULL));
        g_assert_cmpfloat(fabs(again - seconds), <=, 0.500001e-3 * seconds);
    }
}

// Plain numbers, without a unit: an integer of the range or nothing.
static void test_plain(void)
{
    static const struct {
        const char *text;
        int least, most, value; // value: -1 if the text is refused
    } INTS[] = {
        {"0", 0, 9, 0},
        {"9", 0, 9, 9},
        {"10", 0, 9, -1},
        {"1", 2, 9, -1},
        {"2", 2, 9, 2},
        {"007", 0, 9, 7},
        {"-0", 0, 9, -1},
        {"+1", 0, 9, -1},
        {" 1", 0, 9, -1},
        {"1 ", 0, 9, -1},
        {"1.0", 0, 9, -1},
        {"0x1", 0, 9, -1},
        {"1e0", 0, 9, -1},
        {"", 0, 9, -1},
        {"4294967300", 0, G_MAXINT, -1},
        {"1K", 0, 9, -1},
        {"18446744073709551617", 0, G_MAXINT, -1},
        {"1", 1, 0, -1},
        {"5", 0, -1, -1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(INTS); i++) {
        int value = -1;
        g_assert_cmpint(number_int(INTS[i].text, INTS[i].least, INTS[i].most, &value), ==, INTS[i].value >= 0);
        g_assert_cmpint(value, ==, INTS[i].value);
    }
    size_t most = 7;
    g_assert_true(number_size("18446744073709551615", 0, G_MAXSIZE, &most) && most == G_MAXSIZE);
    g_assert_false(number_size("18446744073709551616", 0, G_MAXSIZE, &most) || most != G_MAXSIZE);
    g_assert_false(number_size("1", 1, 0, &most) || most != G_MAXSIZE);
    double real = -1;
    g_assert_true(number_real("1.5e-3", &real) && real == 1.5e-3);
    static const char *const BAD[] = {"",    "-1",    "+1", " 1",  "1 ",    "0x10", "inf",
                                      "nan", "1e400", "1e", "1,5", "1.5.2", ".5"};
    for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++)
        g_assert_false(number_real(BAD[i], &real) || real != 1.5e-3);
    static const struct {
        size_t least, most;
        const char *text;
    } RANGES[] = {
        {1, 1 << 27, "an integer from 1 to 2^27"},   {0, 1 << 20, "an integer from 0 to 2^20"},
        {0, 1 << 19, "an integer from 0 to 524288"}, {0, (1 << 20) + 1, "an integer from 0 to 1048577"},
        {2, G_MAXSIZE, "an integer, 2 or above"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(RANGES); i++) {
        g_autofree char *text = number_range(RANGES[i].least, RANGES[i].most);
        g_assert_cmpstr(text, ==, RANGES[i].text);
    }
}

// A fraction has up to 18 digits without the zeros at its end: 2^-18 T is 4M.
static void test_fractions(void)
{
    size_t size = 0;
    g_assert_true(units_parse_size("0.000003814697265625T", &size, NULL) && size == 4 << 20);
    g_assert_true(units_parse_size("0.00000381469726562500T", &size, NULL) && size == 4 << 20);
    g_assert_false(units_parse_size("0.0000019073486328125T", &size, NULL));
}

static void test_lists(void)
{
    static const struct {
        const char *text, *values;
    } good[] = {{"8", "8"},
                {"0", "0"},
                {"8,1K,2,2", "8 1024 2 2"},
                {"2..5", "2 3 4 5"},
                {"7..7", "7"},
                {"1K..64K:x4", "1024 4096 16384 65536"},
                {"1..100:x7", "1 7 49"},
                {"0..10:+4,1", "0 4 8 1"},
                {"8..8:x2", "8"},
                {"0..0", "0"},
                {"8, 16", "8 16"},
                {" 8 ,16 ", "8 16"},
                {"1kB..4KiB:x2, 1.5K", "1024 2048 4096 1536"},
                {"1M..4M:+1M", "1048576 2097152 3145728 4194304"}};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GArray) list = units_parse_list(good[i].text, "-p", 0, 4 << 20, &error);
        g_assert_no_error(error);
        g_autoptr(GString) values = g_string_new(NULL);
        for (guint k = 0; k < list->len; k++)
            g_string_append_printf(values, "%s%zu", k ? " " : "", g_array_index(list, size_t, k));
        g_assert_cmpstr(values->str, ==, good[i].values);
    }
    g_autoptr(GArray) longest = units_parse_list("1..9999,5", "-p", 1, SIZE_MAX, NULL);
    g_assert_cmpuint(longest->len, ==, 10000);
    g_autoptr(GArray) top = units_parse_list("1..4194304T:x1T", "-m", 0, SIZE_MAX, NULL);
    g_assert_cmpuint(top->len, ==, 2); // 1 and 2^40; the next value, 2^80, would overflow
}

static void test_bad_lists(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {{"", "-p: '' is neither a number nor a range; allowed: "},
               {"1,", "-p: '' is neither"},
               {",1", "-p: '' is neither"},
               {"1,,2", "-p: '' is neither"},
               {" ", "-p: '' is neither"},
               {"8,,16", "-p: '' is neither"},
               {"8, ,16", "-p: '' is neither"},
               {"8 16", "-p: '8 16' is neither"},
               {"1 ..2", "-p: '1 ..2' is neither"},
               {"1.5", "-p: '1.5' is neither"},
               {"-1", "-p: '-1' is neither"},
               {"1..8:x1.5", "-p: '1..8:x1.5' is neither"},
               {"1..", "-p: '1..' is neither"},
               {"..2", "-p: '..2' is neither"},
               {"1...2", "-p: '1...2' is neither"},
               {"1..2..3", "-p: '1..2..3' is neither"},
               {"1..8:2", "-p: '1..8:2' is neither"},
               {"1..8:x", "-p: '1..8:x' is neither"},
               {"1..8:*2", "-p: '1..8:*2' is neither"},
               {"1..8:x2:x2", "-p: '1..8:x2:x2' is neither"},
               {"1..8:", "-p: '1..8:' is neither"},
               {"8:x2", "-p: '8:x2' is neither"},
               {"a\nb", "-p: 'a\\nb' is neither"},
               {"4,8..2", "-p: '8..2' falls; allowed: "},
               {"8..2:x2", "-p: '8..2:x2' falls"},
               {"1..8:x1", "-p: '1..8:x1' multiplies by less than 2"},
               {"0..8:x2", "-p: '0..8:x2' multiplies 0 and never ends"},
               {"0..0:x2", "-p: '0..0:x2' multiplies 0 and never ends"},
               {"1,000", "-p: '000' begins with 0, and commas separate numbers; allowed: "},
               {"08", "-p: '08' begins with 0"},
               {"1..8:+0", "-p: '1..8:+0' steps by 0"},
               {"1..10001", "-p: '1..10001' makes it more than 10,000 values"},
               {"1..99999", "-p: '1..99999' makes it more than 10,000 values"},
               {"1..6000,1..6000", "-p: '1..6000' makes it more than 10,000 values"},
               {"2M", "-p: '2M' is out of range; allowed: numbers such as 8 or 64K, A..B, A..B:xF (F from 2) or "
                      "A..B:+S, rising, joined "
                      "by commas, values 0 to 1M, at most 10,000 in all"},
               {"1..2M:x7", "-p: '1..2M:x7' is out of range"}};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(units_parse_list(bad[i].text, "-p", 0, 1 << 20, &error));
        assert_refused(error, bad[i].text, bad[i].message);
        g_assert_true(g_str_has_prefix(error->message, bad[i].message));
    }
    g_autoptr(GError) error = NULL;
    g_assert_null(units_parse_list("0", "-p", 1, SIZE_MAX, &error));
    assert_refused(error, "0", "values 1 to 4194304T");
}

static void assert_notes(const char *list, const char *notes)
{
    g_autoptr(GPtrArray) got = units_list_notes(list, "-m");
    g_ptr_array_add(got, NULL);
    g_autofree char *joined = g_strjoinv("; ", (char **)got->pdata);
    g_assert_cmpstr(joined, ==, notes);
}

static void test_notes(void)
{
    static const char *const plain[] = {"1M", "1MiB", "64k", "8B", "8", "1.5", "MB", "", "1MB "};
    for (size_t i = 0; i < G_N_ELEMENTS(plain); i++)
        g_assert_null(units_size_note(plain[i]));
    g_autofree char *mega = units_size_note("1MB"), *kilo = units_size_note("1.5kB");
    g_assert_cmpstr(mega, ==, "1MB is taken as 1 MiB, 1048576 bytes");
    g_assert_cmpstr(kilo, ==, "1.5kB is taken as 1.5 KiB, 1536 bytes");
    assert_notes("8..64M:x8", "-m 8..64M:x8 ends at 16M: 128M is beyond 64M");
    assert_notes("1..100:x7,0..10:+4",
                 "-m 1..100:x7 ends at 49: 343 is beyond 100; -m 0..10:+4 ends at 8: 12 is beyond 10");
    assert_notes("1..4194304T:x2T", "-m 1..4194304T:x2T ends at 2T");
    assert_notes("1,2..5,8..64M:x2,0..8:+4,7..7:x3", "");
    assert_notes("1MB,2MB", "1MB is taken as 1 MiB, 1048576 bytes");
    assert_notes("1KB..2KB:+1kB", "1KB is taken as 1 KiB, 1024 bytes");
    assert_notes("1..64:x3K, 2kB", "-m 1..64:x3K ends at 1: 3K is beyond 64; 2kB is taken as 2 KiB, 2048 bytes");
    assert_notes("1..8:x0,x,", "");
}

// Returns a valid text with one to four bytes replaced, added or removed; free with g_free.
static char *mutate(GRand *rand, const char *valid)
{
    static const char alphabet[] = "0123456789..,,::x+-eKMGTB/s munp\n\xff";
    GString *text = g_string_new(valid);
    for (int n = g_rand_int_range(rand, 1, 5); n > 0; n--) {
        const gssize at = g_rand_int_range(rand, 0, (gint32)text->len + 1);
        const char c = alphabet[g_rand_int_range(rand, 0, sizeof alphabet - 1)];
        const int kind = g_rand_int_range(rand, 0, 3);
        if (kind > 0 && at < (gssize)text->len)
            g_string_erase(text, at, 1);
        if (kind < 2)
            g_string_insert_c(text, at, c);
    }
    return g_string_free(text, FALSE);
}

static void fuzz_list(const char *text)
{
    const size_t min = 1, max = 1 << 20;
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) list = units_parse_list(text, "-m", min, max, &error);
    if (!list) {
        assert_refused(error, text, "-m: '");
        return;
    }
    g_assert_no_error(error);
    g_assert_cmpuint(list->len, >=, 1);
    g_assert_cmpuint(list->len, <=, 10000);
    for (guint k = 0; k < list->len; k++) {
        g_assert_cmpuint(g_array_index(list, size_t, k), >=, min);
        g_assert_cmpuint(g_array_index(list, size_t, k), <=, max);
    }
}

static void fuzz_number(const char *text, gboolean (*parse)(const char *, double *, GError **))
{
    double value = -1;
    g_autoptr(GError) error = NULL;
    if (parse(text, &value, &error))
        g_assert_true(isfinite(value) && value >= 0 && !error);
    else
        assert_refused(error, text, " is not a ");
}

static void test_fuzz(void)
{
    static const char *const valid[] = {"8,64K,1M",    "2..33,64,100", "1K..1M:x4", "1..4096:+64,5", "1.6us",
                                        "1e-3s",       "0.085ns/B",    "12.5GB/s",  "4194304T",      "0s/B",
                                        "1.5MiB,64kB", "100Gbit/s",    "10M/s"};
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (int i = 0; i < FUZZ_INPUTS; i++) {
        g_autofree char *text = mutate(rand, valid[i % G_N_ELEMENTS(valid)]);
        size_t size = max_size + 1;
        g_autoptr(GError) error = NULL;
        if (units_parse_size(text, &size, &error))
            g_assert_cmpuint(size, <=, max_size);
        else
            assert_refused(error, text, "is not a size");
        fuzz_list(text);
        g_ptr_array_unref(units_list_notes(text, "-m"));
        fuzz_number(text, units_parse_time);
        fuzz_number(text, units_parse_per_byte);
        fuzz_number(text, units_parse_per_second);
    }
}

static void test_nearest(void)
{
    static const char *const names[] = {"binomial", "knomial", "bintree", "linear", "ring", "o", "O", NULL};
    static const struct {
        const char *wrong, *nearest;
    } cases[] = {{"binomal", "binomial"},
                 {"bniomial", "binomial"},
                 {"binomial", "binomial"},
                 {"BINOMIAL", "binomial"},
                 {"knomail", "knomial"},
                 {"rign", "ring"},
                 {"rings", "ring"},
                 {"lin", NULL},
                 {"dissemination", NULL},
                 {"", NULL},
                 {"q", NULL},
                 {"inomial", "binomial"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpstr(nearest_name(cases[i].wrong, names), ==, cases[i].nearest);

    static const char *const all[] = {"recursive_doubling", "ring", "o", "O", "a_b", "ab", "abc", NULL};
    static const struct {
        const char *name;
        int index;
    } matches[] = {{"ring", 1},
                   {"Ring", 1},
                   {"recursive-doubling", 0},
                   {"RecursiveDoubling", 0},
                   {"o", 2},
                   {"O", 3},
                   {"ab", 5},
                   {"a_b", 4},
                   {"a-b", -1},
                   {"AB", -1},
                   {"rin", -1},
                   {"rings", -1},
                   {"", -1},
                   {"_", -1},
                   {"ABC", 6},
                   {"abc_", 6}};
    for (size_t i = 0; i < G_N_ELEMENTS(matches); i++)
        g_assert_cmpint(nearest_match(matches[i].name, all), ==, matches[i].index);

    static const char *const few[] = {"ring", "linear", NULL};
    g_autoptr(GError) error = NULL, far = NULL;
    g_assert_false(nearest_unknown("algorithm", "rign", few, &error));
    g_assert_cmpstr(error->message, ==, "unknown algorithm 'rign', did you mean ring? allowed: ring, linear");
    g_assert_false(nearest_unknown("algorithm", "x\n", few, &far));
    g_assert_cmpstr(far->message, ==, "unknown algorithm 'x\\n'; allowed: ring, linear");

    g_autofree char *many = g_strnfill(500, 'a'), *shown = error_quote(many);
    g_assert_cmpuint(strlen(shown), ==, 65);
}

static void add_tests(void)
{
    g_test_add_func("/units/plain", test_plain);
    g_test_add_func("/units/fractions", test_fractions);
    g_test_add_func("/units/sizes", test_sizes);
    g_test_add_func("/units/times", test_times);
    g_test_add_func("/units/per-byte", test_per_byte);
    g_test_add_func("/units/per-second", test_per_second);
    g_test_add_func("/units/format", test_format);
    g_test_add_func("/units/about", test_about);
    g_test_add_func("/units/round-trip", test_round_trip);
    g_test_add_func("/units/lists", test_lists);
    g_test_add_func("/units/bad-lists", test_bad_lists);
    g_test_add_func("/units/notes", test_notes);
    g_test_add_func("/units/fuzz", test_fuzz);
    g_test_add_func("/units/nearest", test_nearest);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
