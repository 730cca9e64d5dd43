// Writes JSON piece by piece. Commas, quotes and numbers are right by construction; the caller must close what it opens.
#pragma once
#include <glib.h>

typedef struct Json {
    GString *text;
    gboolean first; // the innermost array or object is still empty
} Json;

// `open` and `close` are '[' and ']', or '{' and '}'. In an array the key is NULL.
void json_open(Json *json, const char *key, char open);
void json_close(Json *json, char close);
void json_string(Json *json, const char *key, const char *value); // a value of NULL is written as null
void json_integer(Json *json, const char *key, gint64 value);
void json_literal(Json *json, const char *key, const char *value); // the value is written as it is
void json_number(Json *json, const char *key, double value);       // in 17 digits, which read back as the same double
