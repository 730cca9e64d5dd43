// Tables in CSV: what is read can be asked for, and a row that is written is read back as it was.
#include "base/csv.h"
#include "base/escape.h"
#include "fuzz.h"
#include <string.h>

static void read_table(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Csv) csv = csv_parse((const char *)data, size, "f.csv", &error);
    if (!fuzz_outcome(csv != NULL, &error))
        return;
    int bytes, time;
    if (!fuzz_outcome(csv_need(csv, "bytes", &bytes, &error), &error) ||
        !fuzz_outcome(csv_need(csv, "time", &time, &error), &error))
        return;
    for (size_t row = 0; row < csv_rows(csv); row++) {
        double number;
        fuzz_outcome(csv_number(csv, row, bytes, &number, &error), &error);
        fuzz_outcome(csv_number(csv, row, time, &number, &error), &error);
        g_assert_cmpint(csv_line(csv, row), >, row);
    }
}

static void write_row(const uint8_t *data, size_t size)
{
    enum { FIELDS = 3 };
    g_auto(GStrv) fields = fuzz_lines(data, size, FIELDS - 1);
    g_autoptr(GString) table = g_string_new("a,b,c\n");
    for (int i = 0; i < FIELDS; i++) {
        g_autofree char *field = escape_csv(fields[i]);
        g_string_append_printf(table, "%s%c", field, i < FIELDS - 1 ? ',' : '\n');
    }
    g_autoptr(Csv) csv = csv_parse(table->str, table->len, "written", NULL);
    g_assert_true((csv != NULL) == g_utf8_validate(table->str, -1, NULL));
    for (int i = 0; csv && i < FIELDS; i++)
        g_assert_cmpstr(csv_field(csv, 0, i), ==, fields[i]);
}

FUZZ_HARNESS(csv)
{
    read_table(data, size);
    write_row(data, size);
    return 0;
}
