// JSON, written as it comes: commas, quotes and numbers are right, nesting is the caller's word.
#pragma once
#include <glib.h>

typedef struct Json {
    GString *text;
    gboolean first; // nothing stands yet in the innermost array or object
} Json;

// `open` and `close`: '[' and ']', or '{' and '}'. A key of NULL: an element of an array.
void json_open(Json *json, const char *key, char open);
void json_close(Json *json, char close);
void json_string(Json *json, const char *key, const char *value); // NULL: null
void json_integer(Json *json, const char *key, gint64 value);
void json_literal(Json *json, const char *key, const char *value); // a number as it is written
void json_number(Json *json, const char *key, double value);       // 17 digits: reads back as the same double
