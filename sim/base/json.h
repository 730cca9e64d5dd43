// Reads JSON as other programs' libraries do, and knows the line of every value and of every name, which those
// libraries forget. What they accept beyond the standard differs, so the reader is told whose rules hold.
#pragma once
#include <glib.h>
#include <stddef.h>

// The libraries.
typedef enum {
    JSON_AS_PARSER, // json-parser, in Open MPI: a comma may precede ] and }, and \x in a string is x
    JSON_AS_C,      // json-c 0.13, in MPICH: the same commas, comments, single quotes, any case of true, 32 levels, and
                    // anything may follow the value
} JsonDialect;

typedef enum { JSON_NULL, JSON_BOOL, JSON_INTEGER, JSON_REAL, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

typedef struct JsonNode JsonNode;
typedef struct JsonMember {
    char *name; // NULL in an array
    size_t line;
    JsonNode *value;
} JsonMember;

struct JsonNode {
    JsonKind kind;
    size_t line;
    gint64 integer;  // of an integer
    char *text;      // of a string, up to the first \0
    GArray *members; // of JsonMember: the values of an array or an object, in order; names may occur twice
    size_t more;     // of the outermost value: the line of the text behind it, which json-c does not read; 0 if none
};

// Reads a text, which a \0 follows. Returns NULL if the library refuses it, with what is wrong (free with g_free) and
// the line in *why and *line. Free with json_free.
JsonNode *json_parse(const char *text, size_t length, JsonDialect dialect, char **why, size_t *line);
void json_free(JsonNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(JsonNode, json_free)

// Returns the first member with this name of an object, or NULL.
const JsonMember *json_member(const JsonNode *object, const char *name);
