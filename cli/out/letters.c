#include "out/letters.h"
#include "base/escape.h"

// The advance widths of DejaVu Sans and of its bold form, which are facts of the font: in 1/2048 of the font's size,
// for the letters from space to ~.
static const guint16 PLAIN[] = {
    651,  821,  942,  1716, 1303, 1946, 1597, 563,  799,  799,  1024, 1716, 651,  739,  651,  690,  1303, 1303, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,  1716, 1716, 1716, 1087, 2048, 1401, 1405, 1430, 1577, 1294,
    1178, 1587, 1540, 604,  604,  1343, 1141, 1767, 1532, 1612, 1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403,
    1251, 1403, 799,  690,  799,  1716, 1024, 1024, 1255, 1300, 1126, 1300, 1260, 721,  1300, 1298, 569,  569,  1186,
    569,  1995, 1298, 1253, 1300, 1300, 842,  1067, 803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716};
static const guint16 BOLD[] = {
    713,  934,  1067, 1716, 1425, 2052, 1786, 627,  936,  936,  1071, 1716, 778,  850,  778,  748,  1425, 1425, 1425,
    1425, 1425, 1425, 1425, 1425, 1425, 1425, 819,  819,  1716, 1716, 1716, 1188, 2048, 1585, 1561, 1503, 1700, 1399,
    1399, 1681, 1714, 762,  762,  1587, 1305, 2038, 1714, 1741, 1501, 1741, 1577, 1475, 1397, 1663, 1585, 2259, 1579,
    1483, 1485, 936,  748,  936,  1716, 1024, 1024, 1382, 1466, 1214, 1466, 1389, 891,  1466, 1458, 702,  702,  1362,
    702,  2134, 1458, 1407, 1466, 1466, 1010, 1219, 979,  1458, 1335, 1892, 1321, 1335, 1192, 1458, 748,  1458, 1716};
enum { FIRST = ' ', EM = 2048 };
G_STATIC_ASSERT(G_N_ELEMENTS(PLAIN) == '~' - FIRST + 1 && G_N_ELEMENTS(BOLD) == '~' - FIRST + 1);

static const int SIZES[] = {[LETTERS_SMALL] = 13, [LETTERS_NOTE] = 14, [LETTERS_TEXT] = 16, [LETTERS_TITLE] = 17};

// A letter that the table does not have counts as one em.
static double letter_width(gunichar letter, Letters font)
{
    const guint16 *const widths = font == LETTERS_TITLE ? BOLD : PLAIN;
    if (font == LETTERS_CELLS)
        return 1;
    return (double)(letter >= FIRST && letter <= '~' ? widths[letter - FIRST] : EM) * SIZES[font] / EM;
}

// Returns the first letter of a text that is not empty, and moves to what follows it. A byte that is not UTF-8 is a
// letter.
static gunichar next_letter(const char **text)
{
    const gunichar letter = g_utf8_get_char_validated(*text, -1);
    const gboolean valid = letter != (gunichar)-1 && letter != (gunichar)-2;
    *text = valid ? g_utf8_next_char(*text) : *text + 1;
    return letter;
}

double letters_width(const char *text, Letters font)
{
    double width = 0;
    while (*text)
        width += letter_width(next_letter(&text), font);
    return width;
}

// Returns the end of the longest part of a word that fits into `width`, of at least one letter; sets *used to its
// width.
static const char *part_of(const char *word, double width, Letters font, double *used)
{
    const char *end = word;
    *used = 0;
    while (*end) {
        const char *after = end;
        const double next = letter_width(next_letter(&after), font);
        if (end > word && *used + next > width)
            break;
        *used += next;
        end = after;
    }
    return end;
}

char *letters_wrap(const char *text, double width, Letters font)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    GString *const out = g_string_new(NULL);
    const double space = letter_width(' ', font);
    double used = 0;
    for (size_t i = 0; words[i]; i++) {
        const char *word = words[i];
        const double whole = letters_width(word, font);
        if (i) {
            const gboolean fits = used + space + whole <= width;
            g_string_append_c(out, fits ? ' ' : '\n');
            used = fits ? used + space : 0;
        }
        double part;
        const char *end = part_of(word, MAX(width - used, 0), font, &part);
        for (; *end; end = part_of(word, width, font, &part)) { // the word is wider than a line
            g_string_append_len(out, word, end - word);
            g_string_append_c(out, '\n');
            word = end;
            used = 0;
        }
        g_string_append(out, word);
        used += part;
    }
    return g_string_free(out, FALSE);
}

void letters_print(const char *text, size_t columns, FILE *to)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1); // none if the text is empty
    for (char **line = lines; *line; line++) {
        g_autofree char *shown = escape_terminal(*line), *wrapped = letters_wrap(shown, (double)columns, LETTERS_CELLS);
        fprintf(to, "%s\n", wrapped);
    }
}

guint letters_lines(const char *text)
{
    guint lines = *text ? 1 : 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    return lines;
}
