// The CSV reader: tables of inputs with the results or errors that they must give, a round trip of random fields, and
// 20,000 mutations of a text. Each mutation must give a whole table or one error that begins with the file's name.
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static Csv *parse(const char *text, GError **error)
{
    return csv_parse(text, strlen(text), "f.csv", error);
}

static void test_good(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Csv) csv =
        parse("name,\"time, s\",note\r\nring,1e-6,\nlinear,2,\"a \"\"b\"\"\nc\"\nlast,\"3\",\"\"", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(csv_rows(csv), ==, 3);
    g_assert_cmpint(csv_column(csv, "name"), ==, 0);
    g_assert_cmpint(csv_column(csv, "time, s"), ==, 1);
    g_assert_cmpint(csv_column(csv, "Name"), ==, -1);
    g_assert_cmpstr(csv_field(csv, 0, 0), ==, "ring");
    g_assert_cmpstr(csv_field(csv, 0, 2), ==, "");
    g_assert_cmpstr(csv_field(csv, 0, -1), ==, "");
    g_assert_cmpstr(csv_field(csv, 1, 2), ==, "a \"b\"\nc");
    g_assert_cmpstr(csv_field(csv, 2, 1), ==, "3");
    g_assert_cmpuint(csv_line(csv, 1), ==, 3);
    g_assert_cmpuint(csv_line(csv, 2), ==, 5); // because a field of the row before it contains a line end
    g_assert_cmpstr(csv_name(csv), ==, "f.csv");

    g_autoptr(Csv) bare = parse("a,b", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(csv_rows(bare), ==, 0);
    int column;
    g_assert_false(csv_need(bare, "c", &column, &error));
    g_assert_cmpstr(error->message, ==, "f.csv:1: column `c` is missing; the header has a, b");
    g_clear_error(&error);
    g_autoptr(Csv) wide = parse("first,second,third,fourth", &error);
    g_assert_false(csv_need(wide, "c", &column, &error));
    g_assert_cmpstr(error->message, ==, "f.csv:1: column `c` is missing; the header has first, second, third, fourth");
}

static void test_bad(void)
{
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"", "f.csv: the file is empty; allowed: a header row, then rows of as many fields"},
        {"a,b\n1\n", "f.csv:2: the row has 1 field; allowed: 2, as in the header"},
        {"a,b\n1,2\n\n", "f.csv:3: the row has 1 field; allowed: 2, as in the header"},
        {"a,b\n1,2,3\n", "f.csv:2: the row has 3 fields; allowed: 2, as in the header"},
        {"a,a\n", "f.csv:1: column `a` appears twice; allowed: once"},
        {"a,\n", "f.csv:1: column 2 has no name; allowed: a name for every column"},
        {"\n", "f.csv:1: column 1 has no name; allowed: a name for every column"},
        {"a\nb\"c\n", "f.csv:2: a field has a quote inside; allowed: quotes around the whole field"},
        {"a\n\"b\"c\n", "f.csv:2: text follows a closing quote; allowed: a comma or the end of the line"},
        {"a\n\"x\ny\n", "f.csv:2: the quoted field that starts here is never closed"},
        {"a\nx\ry\n", "f.csv:2: a carriage return is inside a line; allowed: only before the line's end"},
        {"a\nb\n\xff\n", "f.csv:3: the line is not text; allowed: UTF-8"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(parse(CASES[i].text, &error));
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_assert_cmpstr(error->message, ==, CASES[i].message);
    }
    g_autoptr(GError) error = NULL;
    g_assert_null(csv_parse("a\nb\0c\n", 6, "f.csv", &error));
    g_assert_cmpstr(error->message, ==, "f.csv:2: the line is not text; allowed: UTF-8");
}

static void test_numbers(void)
{
    static const struct {
        const char *field;
        gboolean integer, number;
        double value;
    } CASES[] = {
        {"0", TRUE, TRUE, 0},
        {"18446744073709551615", TRUE, TRUE, 18446744073709551615.0},
        {"18446744073709551616", FALSE, TRUE, 18446744073709551616.0},
        {"1.5e-06", FALSE, TRUE, 1.5e-6},
        {"", FALSE, FALSE, 0},
        {"-1", FALSE, FALSE, 0},
        {"+1", FALSE, FALSE, 0},
        {" 1", FALSE, FALSE, 0},
        {"1 ", FALSE, FALSE, 0},
        {"1x", FALSE, FALSE, 0},
        {"1e999", FALSE, FALSE, 0},
        {"1e", FALSE, FALSE, 0},
        {"0x10", FALSE, FALSE, 0},
        {"nan", FALSE, FALSE, 0},
        {"inf", FALSE, FALSE, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *text = g_strdup_printf("a,b\n%s,\n", CASES[i].field);
        g_autoptr(Csv) csv = parse(text, NULL);
        g_autoptr(GError) error = NULL;
        size_t integer = 0;
        double number = 0;
        g_assert_cmpint(csv_size(csv, 0, 0, 0, SIZE_MAX, &integer, NULL), ==, CASES[i].integer);
        g_assert_cmpint(csv_number(csv, 0, 0, &number, &error), ==, CASES[i].number);
        if (CASES[i].integer)
            g_assert_cmpfloat((double)integer, ==, CASES[i].value);
        if (CASES[i].number) {
            g_assert_cmpfloat(number, ==, CASES[i].value);
        } else {
            g_autofree char *message =
                g_strdup_printf("f.csv:2: a is `%s`; allowed: a number, 0 or above", CASES[i].field);
            g_assert_cmpstr(error->message, ==, message);
        }
    }
}

// Integers have a range, and a column that the header does not have is refused, not read.
static void test_ranges(void)
{
    static const struct {
        const char *field, *allowed; // allowed: NULL if the field is read
        int least, most, value;
    } CASES[] = {
        {"1", NULL, 1, 4, 1},
        {"4", NULL, 1, 4, 4},
        {"0", "an integer from 1 to 4", 1, 4, 0},
        {"5", "an integer from 1 to 4", 1, 4, 0},
        {"134217728", NULL, 1, 1 << 27, 1 << 27},
        {"134217729", "an integer from 1 to 2^27", 1, 1 << 27, 0},
        {"4294967300", "an integer from 1 to 2^27", 1, 1 << 27, 0},
        {"2147483647", NULL, 0, G_MAXINT, G_MAXINT},
        {"2147483648", "an integer from 0 to 2147483647", 0, G_MAXINT, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *text = g_strdup_printf("a,b\n%s,\n", CASES[i].field);
        g_autoptr(Csv) csv = parse(text, NULL);
        g_autoptr(GError) error = NULL;
        int value = -7;
        g_assert_cmpint(csv_int(csv, 0, 0, CASES[i].least, CASES[i].most, &value, &error), ==, !CASES[i].allowed);
        g_assert_cmpint(value, ==, CASES[i].allowed ? -7 : CASES[i].value);
        if (CASES[i].allowed) {
            g_autofree char *message =
                g_strdup_printf("f.csv:2: a is `%s`; allowed: %s", CASES[i].field, CASES[i].allowed);
            g_assert_cmpstr(error->message, ==, message);
        }
    }
    g_autoptr(Csv) csv = parse("a\n1\n", NULL);
    g_autoptr(GError) no_integer = NULL, no_number = NULL;
    int value = -7;
    double number = -7;
    g_assert_false(csv_int(csv, 0, -1, 0, 9, &value, &no_integer));
    g_assert_cmpstr(no_integer->message, ==,
                    "f.csv:2: a column that the header lacks is ``; allowed: an integer from 0 to 9");
    g_assert_false(csv_number(csv, 0, -1, &number, &no_number));
    g_assert_cmpstr(no_number->message, ==,
                    "f.csv:2: a column that the header lacks is ``; allowed: a number, 0 or above");
    g_assert_true(value == -7 && number == -7);
}

// A table may have LIMIT_TABLE_FIELDS fields.
static void test_large(void)
{
    enum { COLUMNS = 1024, ROWS = LIMIT_TABLE_FIELDS / COLUMNS };
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < COLUMNS; i++)
        g_string_append_printf(text, "%s%d", i ? "," : "", i);
    g_autofree char *row = g_strnfill(COLUMNS, ',');
    row[COLUMNS - 1] = '\n';
    const size_t header = text->len + 1;
    g_string_append_c(text, '\n');
    g_string_set_size(text, header + (size_t)ROWS * COLUMNS);
    for (int i = 0; i < ROWS; i++)
        memcpy(text->str + header + (size_t)i * COLUMNS, row, COLUMNS);
    g_autoptr(GError) error = NULL;
    g_autoptr(Csv) csv = csv_parse(text->str, text->len, "f.csv", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(csv_rows(csv), ==, ROWS);
    g_string_append(text, row);
    g_assert_null(csv_parse(text->str, text->len, "f.csv", &error));
    g_assert_cmpstr(error->message, ==,
                    "f.csv:16386: the table has too many fields; allowed: at most 2^24 in all rows");
}

static void test_files(void)
{
    g_autoptr(GError) missing = NULL, directory = NULL;
    g_assert_null(csv_read("/nonexistent/f.csv", &missing));
    g_assert_cmpstr(missing->message, ==, "/nonexistent/f.csv: No such file or directory; allowed: a readable file");
    g_assert_null(csv_read("/", &directory));
    g_assert_cmpstr(directory->message, ==, "/: Is a directory; allowed: a readable file");

    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("csv-XXXXXX", &path, NULL);
    g_assert_cmpint(fd, >=, 0);
    g_close(fd, NULL);
    g_assert_true(g_file_set_contents(path, "a,b\n1,2\n", -1, NULL));
    g_autoptr(Csv) csv = csv_read(path, NULL);
    g_assert_cmpstr(csv_field(csv, 0, 1), ==, "2");
    g_remove(path);
}

// Random fields of characters that need quoting, written as RFC 4180 demands, are read as they were.
static void test_round_trip(void)
{
    static const char ALPHABET[] = "ab,\"\n;=";
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    for (int trial = 0; trial < 500; trial++) {
        const int columns = g_rand_int_range(rand, 1, 5), rows = g_rand_int_range(rand, 0, 6);
        g_autoptr(GString) text = g_string_new(NULL);
        g_autoptr(GPtrArray) fields = g_ptr_array_new_with_free_func(g_free);
        for (int c = 0; c < columns; c++)
            g_string_append_printf(text, c ? ",c%d" : "c%d", c);
        for (int i = 0; i < rows * columns; i++) {
            GString *const field = g_string_new(NULL);
            for (int n = g_rand_int_range(rand, 0, 8); n > 0; n--)
                g_string_append_c(field, ALPHABET[g_rand_int_range(rand, 0, sizeof ALPHABET - 1)]);
            g_autoptr(GString) quoted = g_string_new(field->str);
            g_string_replace(quoted, "\"", "\"\"", 0);
            g_string_append_printf(text, "%s\"%s\"", i % columns ? "," : "\r\n", quoted->str);
            g_ptr_array_add(fields, g_string_free(field, FALSE));
        }
        g_autoptr(GError) error = NULL;
        g_autoptr(Csv) csv = parse(text->str, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(csv_rows(csv), ==, rows);
        for (int i = 0; i < rows * columns; i++)
            g_assert_cmpstr(csv_field(csv, i / columns, i % columns), ==, fields->pdata[i]);
    }
}

static void mutate(GByteArray *bytes, GRand *rand)
{
    static const char SPICE[] = "\",\n\r\0 1eE+-.x\xff\xc3";
    const guint8 byte = (guint8)SPICE[g_rand_int_range(rand, 0, sizeof SPICE - 1)];
    const guint at = bytes->len ? g_rand_int_range(rand, 0, (gint32)bytes->len) : 0;
    const int kind = g_rand_int_range(rand, 0, 4);
    if (kind == 0 || !bytes->len) { // insert
        g_byte_array_append(bytes, &byte, 1);
        memmove(bytes->data + at + 1, bytes->data + at, bytes->len - at - 1);
        bytes->data[at] = byte;
    } else if (kind == 1) {
        g_byte_array_remove_index(bytes, at);
    } else if (kind == 2) {
        bytes->data[at] = byte;
    } else if (g_rand_int_range(rand, 0, 8) == 0) { // rarely, because it removes much of the text
        g_byte_array_set_size(bytes, at);
    }
}

// Reads every field of a table as text, integer and number. What is an integer must be a number too.
static void touch(const Csv *csv)
{
    for (size_t row = 0; row < csv_rows(csv); row++)
        for (int column = 0; column < 4; column++) {
            size_t integer;
            double number;
            const char *const field = csv_field(csv, row, column);
            g_assert_true(g_utf8_validate(field, -1, NULL));
            if (csv_size(csv, row, column, 0, SIZE_MAX, &integer, NULL))
                g_assert_true(csv_number(csv, row, column, &number, NULL));
            g_assert_cmpuint(csv_line(csv, row), >=, row + 2);
        }
}

static void test_fuzz(void)
{
    static const char SEED[] =
        "algorithm,p,time_s,ran\r\nring,8,1.5e-06,\n\"a \"\"b\"\"\",16,2,\"linear (count < p)\"\n"
        "binomial,1024,0.25,\"two\nlines\"\n";
    g_autoptr(GRand) rand = g_rand_new_with_seed(20000);
    int whole = 0, refused = 0;
    for (int trial = 0; trial < 20000; trial++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        g_byte_array_append(bytes, (const guint8 *)SEED, sizeof SEED - 1);
        for (int n = g_rand_int_range(rand, 1, 6); n > 0; n--)
            mutate(bytes, rand);
        // In a heap copy of exactly this length, a sanitizer notices a read beyond the end.
        g_autofree char *text = g_memdup2(bytes->data, bytes->len);
        g_autoptr(GError) error = NULL;
        g_autoptr(Csv) csv = csv_parse(text, bytes->len, "f.csv", &error);
        g_assert_true((csv == NULL) == (error != NULL));
        if (csv && ++whole && csv_column(csv, "p") >= 0 && csv_rows(csv)) {
            if (csv_column(csv, "algorithm") == 0 && csv_column(csv, "ran") == 3)
                touch(csv);
        } else if (error) {
            refused++;
            g_assert_true(g_str_has_prefix(error->message, "f.csv:"));
            g_assert_null(strchr(error->message, '\n'));
        }
    }
    g_assert_cmpint(whole, >, 1000); // both outcomes must occur often
    g_assert_cmpint(refused, >, 1000);
}

static void add_tests(void)
{
    g_test_add_func("/csv/good", test_good);
    g_test_add_func("/csv/bad", test_bad);
    g_test_add_func("/csv/numbers", test_numbers);
    g_test_add_func("/csv/ranges", test_ranges);
    g_test_add_func("/csv/large", test_large);
    g_test_add_func("/csv/files", test_files);
    g_test_add_func("/csv/round_trip", test_round_trip);
    g_test_add_func("/csv/fuzz", test_fuzz);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
