#include "out/json.h"

static void begin(Json *json, const char *key)
{
    if (!json->first)
        g_string_append_c(json->text, ',');
    json->first = FALSE;
    if (key)
        g_string_append_printf(json->text, "\"%s\":", key);
}

void json_open(Json *json, const char *key, char open)
{
    begin(json, key);
    g_string_append_c(json->text, open);
    json->first = TRUE;
}

void json_close(Json *json, char close)
{
    g_string_append_c(json->text, close);
    json->first = FALSE;
}

void json_string(Json *json, const char *key, const char *value)
{
    begin(json, key);
    if (!value) {
        g_string_append(json->text, "null");
        return;
    }
    g_string_append_c(json->text, '"');
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            g_string_append_c(json->text, '\\');
        if ((unsigned char)*c < 0x20)
            g_string_append_printf(json->text, "\\u%04x", (unsigned)*c);
        else
            g_string_append_c(json->text, *c);
    }
    g_string_append_c(json->text, '"');
}

void json_integer(Json *json, const char *key, gint64 value)
{
    begin(json, key);
    g_string_append_printf(json->text, "%" G_GINT64_FORMAT, value);
}

void json_literal(Json *json, const char *key, const char *value)
{
    begin(json, key);
    g_string_append(json->text, value);
}

void json_number(Json *json, const char *key, double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    begin(json, key);
    g_string_append(json->text, g_ascii_formatd(digits, sizeof digits, "%.17g", value));
}
