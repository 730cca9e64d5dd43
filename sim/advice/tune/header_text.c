#include "advice/tune/header_text.h"
#include "libraries/decide/tables.h"

// What an algorithm can need, in the words of C: p ranks, n elements in the vector or in the blocks of all ranks.
static const struct {
    LibraryNeeds need;
    const char *name, *meaning, *met;
} need_texts[] = {
    {LIBRARY_NEEDS_POW2, "POWER_OF_TWO", "ranks: a power of two", "(p & (p - 1)) == 0"},
    {LIBRARY_NEEDS_EVEN, "EVEN", "ranks: even", "p % 2 == 0"},
    {LIBRARY_NEEDS_TWO, "TWO", "ranks: two", "p == 2"},
    {LIBRARY_NEEDS_COUNT_P, "COUNT_RANKS", "elements: as many as ranks", "n >= p"},
    {LIBRARY_NEEDS_COUNT_POW2, "COUNT_POWER", "elements: as many as the largest power of two up to the ranks",
     "n >= p || (n ^ p) <= (n & p)"}, // if n < p, both must have the same highest bit
    {LIBRARY_NEEDS_SEGMENTS, "SEGMENTS", "elements: a segment for each rank", "n / p >= (whole ? whole : n)"},
    {LIBRARY_NEEDS_HALVES, "HALVES", "elements: in each half of the vector at least one, and a segment",
     "half > 0 && segment <= half"},
    {LIBRARY_NEEDS_COMMUTATIVE, "COMMUTES", "the operation commutes", "flags & @_COMMUTES"},
    {LIBRARY_NEEDS_INT, "INT", "elements of all ranks: their number fits into an int", "n <= 2147483647"},
    {LIBRARY_NEEDS_REGULAR, "REGULAR", "all blocks have one length", "!(flags & @_IRREGULAR)"},
};

void header_text_needs(GString *s, int needs)
{
    const char *between = "";
    for (size_t i = 0; i < G_N_ELEMENTS(need_texts); i++)
        if (needs & (int)need_texts[i].need) {
            g_string_append_printf(s, "%s@_NEEDS_%s", between, need_texts[i].name);
            between = " | ";
        }
    g_string_append(s, *between ? "" : "0");
}

gboolean header_text_asks(int needs)
{
    for (size_t i = 0; i < G_N_ELEMENTS(need_texts); i++)
        needs &= ~(int)need_texts[i].need;
    return needs == 0;
}

void header_text_public(GString *s)
{
    g_string_append(s, "/* What else is known of a call. */\n"
                       "enum {\n"
                       "    @_COMMUTES = 1,  /* the operation of the reduction commutes */\n"
                       "    @_IRREGULAR = 2  /* the blocks of the ranks differ in length */\n"
                       "};\n"
                       "\n"
                       "/* What an algorithm needs to run. */\n"
                       "enum {\n");
    for (size_t i = 0; i < G_N_ELEMENTS(need_texts); i++) {
        const gboolean last = i + 1 == G_N_ELEMENTS(need_texts);
        g_autofree char *line =
            g_strdup_printf("@_NEEDS_%s = %d%s", need_texts[i].name, (int)need_texts[i].need, last ? "" : ",");
        g_string_append_printf(s, "    %-29s /* %s */\n", line, need_texts[i].meaning);
    }
    g_string_append(s,
                    "};\n"
                    "\n"
                    "/* What to run. */\n"
                    "typedef struct {\n"
                    "    int id;           /* of the library's algorithm; 0: the default */\n"
                    "    int segment;      /* messages are cut into segments of so many bytes; 0: they are not cut */\n"
                    "    int fanout;       /* children of a rank in a tree, or chains; 0: the library's default */\n"
                    "    int max_requests; /* the most requests open at a time; 0: no limit */\n"
                    "    unsigned needs;   /* a sum of @_NEEDS_.., which the call meets */\n"
                    "    const char *name; /* the library's name of the algorithm, or \"default\" */\n"
                    "} $_choice;\n"
                    "\n"
                    "/* Returns what to run for a call: the number of ranks of its communicator, its size in bytes\n"
                    " * ($_collective says of what), the bytes of an element, at least 1, and flags, a sum of those\n"
                    " * above. An algorithm is named only if the call meets its needs. For numbers of ranks outside\n"
                    " * the grid, the default is returned.\n"
                    " *\n"
                    " * All ranks of a call must pass the same values, or else they run different algorithms and can\n"
                    " * wait forever. */\n"
                    "static inline const $_choice *$_algorithm($_collective collective, int ranks, uint64_t size,\n"
                    "        uint64_t element, unsigned flags);\n"
                    "\n"
                    "/* Returns the name of a collective, such as \"allreduce\". */\n"
                    "static inline const char *$_name($_collective collective);\n"
                    "\n"
                    "/* All that follows is private. */\n"
                    "\n");
}

void header_text_private(GString *s)
{
    g_string_append(s, "/* For ranks and sizes from these on, up to the next rule's, choice number `choice` runs, or\n"
                       " * number `otherwise` if the call does not meet the needs of the first. */\n"
                       "struct $_rule {\n"
                       "    int ranks;\n"
                       "    uint64_t size;\n"
                       "    unsigned short choice, otherwise;\n"
                       "};\n"
                       "\n"
                       "struct $_table {\n"
                       "    const struct $_rule *rules; /* ascending; those of a number of ranks begin at size 0 */\n"
                       "    size_t n;\n"
                       "};\n"
                       "\n");
}

void header_text_functions(GString *s)
{
    g_string_append(s,
                    "/* Returns the last rule that is not above these ranks and this size, or NULL. */\n"
                    "static inline const struct $_rule *$_find(const struct $_table *table, int ranks, uint64_t size)\n"
                    "{\n"
                    "    size_t low = 0, high = table->n;\n"
                    "    while (low < high) {\n"
                    "        const size_t middle = (low + high) / 2;\n"
                    "        const struct $_rule *rule = &table->rules[middle];\n"
                    "        if (rule->ranks < ranks || (rule->ranks == ranks && rule->size <= size))\n"
                    "            low = middle + 1;\n"
                    "        else\n"
                    "            high = middle;\n"
                    "    }\n"
                    "    return low > 0 ? &table->rules[low - 1] : NULL;\n"
                    "}\n"
                    "\n"
                    "/* Returns 1 if a call meets the needs of a choice; `bytes` are the vector, or the blocks of all\n"
                    " * ranks. */\n"
                    "static inline int $_meets(const $_choice *choice, int ranks, uint64_t bytes, uint64_t element,\n"
                    "        unsigned flags)\n"
                    "{\n"
                    "    const unsigned needs = choice->needs;\n"
                    "    if (needs == 0)\n"
                    "        return 1;\n"
                    "    const uint64_t p = (uint64_t)ranks, n = bytes / element, half = n / 2 * element,\n"
                    "                   segment = (uint64_t)choice->segment, whole = segment / element;\n"
                    "    return ");
    for (size_t i = 0; i < G_N_ELEMENTS(need_texts); i++)
        g_string_append_printf(s, "%s(!(needs & @_NEEDS_%s) || (%s))", i ? " &&\n           " : "", need_texts[i].name,
                               need_texts[i].met);
    g_string_append(s, ";\n"
                       "}\n"
                       "\n"
                       "static inline const char *$_name($_collective collective)\n"
                       "{\n"
                       "    return $_tables[collective].name;\n"
                       "}\n"
                       "\n"
                       "static inline const $_choice *$_algorithm($_collective collective, int ranks, uint64_t size,\n"
                       "        uint64_t element, unsigned flags)\n"
                       "{\n"
                       "    const struct $_table *table = &$_tables[collective].rules[flags & @_COMMUTES];\n"
                       "    const struct $_rule *rule = $_find(table, ranks, UINT64_MAX);\n"
                       "    if (!rule)\n"
                       "        return &$_choices[0];\n"
                       "    const uint64_t p = (uint64_t)ranks, sum = size > UINT64_MAX / p ? UINT64_MAX : size * p;\n"
                       "    rule = $_find(table, rule->ranks, $_tables[collective].per_rank ? sum : size);\n"
                       "    const $_choice *choice = &$_choices[rule->choice];\n"
                       "    return $_meets(choice, ranks, $_tables[collective].whole ? size : sum, element, flags)\n"
                       "               ? choice\n"
                       "               : &$_choices[rule->otherwise];\n"
                       "}\n"
                       "\n"
                       "#endif\n");
}
