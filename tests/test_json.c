// JSON as json-parser and json-c take it: what they accept beyond the standard, what they refuse, and the lines.
#include "base/json.h"
#include "tap.h"
#include <string.h>

#define PARSER 1
#define C      2

static const struct {
    const char *text;
    int accepted;    // by which, a sum
    const char *why; // a part of what is wrong, for those that refuse it
    size_t line;
} texts[] = {
    {"{}", PARSER | C},
    {" [1, -2, true, null, \"x\"]\n", PARSER | C},
    {"{\"a\": [1,], \"b\": {},}", PARSER | C},
    {"{\"a\": {\"a\": 1}, \"a\": 2}", PARSER | C},
    {"[1e5, 1.5, -0, 1E-3]", PARSER | C},
    {"\"\\u00e4\\ud83d\\ude00\"", PARSER | C},
    {"\357\273\277{}", PARSER, "stands where a value", 1},
    {"[\"\\x\"]", PARSER, "an escape that json-c knows", 1},
    {"{} // end", C, "stands where the end", 1},
    {"/* a */ {'a': TRUE}", C, "stands where a value", 1},
    {"{\"a\": NaN}", C, "stands where a value", 1},
    {"{}{", C, "stands where the end", 1},
    {"[01]", C, "a leading 0", 1},
    {"[1.]", C, "a digit", 1},
    {"", 0, "it ends where a value", 1},
    {"{\n\"a\"\n1}", 0, "a colon", 3},
    {"{\"a\": 1\n\"b\": 2}", 0, "a comma", 2},
    {"{,}", 0, "a name in double quotes", 1},
    {"[,1]", 0, "a value", 1},
    {"[1,,2]", 0, "a value", 1},
    {"{\"a", 0, "the end of a string", 1},
    {"[\"\\u12x4\"]", 0, "four hexadecimal digits", 1},
    {"[", 0, "a", 1},
    {"[nul]", 0, "a value", 1},
};

static void test_texts(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        for (JsonDialect d = JSON_AS_PARSER; d <= JSON_AS_C; d++) {
            g_autofree char *why = NULL;
            size_t line;
            g_autoptr(JsonNode) root = json_parse(texts[i].text, strlen(texts[i].text), d, &why, &line);
            const gboolean due = (texts[i].accepted & (d == JSON_AS_C ? C : PARSER)) != 0;
            if ((root != NULL) != due || (!due && (!strstr(why, texts[i].why) || line != texts[i].line))) {
                g_test_message("%s as %d: %s in line %zu", texts[i].text, (int)d, why ? why : "accepted", line);
                g_test_fail();
            }
        }
}

static void test_values(void)
{
    static const char text[] =
        "{\n\"a\": [1,\n{\"b\": \"x\\ny\"}],\n\"a\": -9223372036854775807, \"c\": 9223372036854775808}";
    g_autofree char *why = NULL;
    size_t line;
    g_autoptr(JsonNode) root = json_parse(text, strlen(text), JSON_AS_PARSER, &why, &line);
    g_assert_nonnull(root);
    g_assert_cmpuint(root->members->len, ==, 3);
    const JsonMember *a = json_member(root, "a"), *again = &g_array_index(root->members, JsonMember, 1);
    g_assert_cmpuint(a->line, ==, 2);
    g_assert_cmpuint(a->value->members->len, ==, 2);
    const JsonNode *inner = g_array_index(a->value->members, JsonMember, 1).value;
    g_assert_cmpuint(inner->line, ==, 3);
    g_assert_cmpstr(json_member(inner, "b")->value->text, ==, "x\ny");
    g_assert_cmpuint(again->line, ==, 4);
    g_assert_cmpint(again->value->integer, ==, -G_MAXINT64);
    g_assert_cmpint(json_member(root, "c")->value->kind, ==, JSON_REAL); // beyond 64 bits
    g_assert_null(json_member(root, "d"));
}

// json-c has 32 levels, json-parser has no limit.
static void test_depth(void)
{
    for (int n = 31; n <= 100000; n = n < 33 ? n + 1 : n * 10) {
        g_autoptr(GString) s = g_string_new("");
        for (int i = 0; i < n; i++)
            g_string_append_c(s, '[');
        for (int i = 0; i < n; i++)
            g_string_append_c(s, ']');
        for (JsonDialect d = JSON_AS_PARSER; d <= JSON_AS_C; d++) {
            g_autofree char *why = NULL;
            size_t line;
            g_autoptr(JsonNode) root = json_parse(s->str, s->len, d, &why, &line);
            g_assert_cmpint(root != NULL, ==, d == JSON_AS_PARSER || n <= 32);
        }
    }
}

static void add(void)
{
    g_test_add_func("/json/texts", test_texts);
    g_test_add_func("/json/values", test_values);
    g_test_add_func("/json/depth", test_depth);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
