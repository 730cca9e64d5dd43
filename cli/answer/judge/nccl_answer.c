#include "answer/judge/compare_answer.h"
#include "out/wrap.h"
#include <math.h>

Sheet *nccl_answer_sheet(const GArray *choices)
{
    Sheet *sheet = sheet_new("choices", (const char *const[]){"file", "line", "collective", "ranks", "nodes",
                                                              "nccl_bytes", "measured_s", "nccl_predicted", "nccl_ran",
                                                              "nccl_agrees", "nccl_margin", NULL});
    for (guint i = 0; i < choices->len; i++) {
        const NcclCompared *c = &g_array_index(choices, NcclCompared, i);
        sheet_row(sheet);
        sheet_text(sheet, "file", c->log->name);
        sheet_count(sheet, "line", c->line);
        sheet_text(sheet, "collective", collectives[nccl_collective(c->function)].name);
        if (c->table->ranks)
            sheet_count(sheet, "ranks", c->table->ranks);
        if (c->table->nodes)
            sheet_count(sheet, "nodes", c->table->nodes);
        sheet_count(sheet, "nccl_bytes", (int64_t)c->bytes);
        sheet_number(sheet, "measured_s", c->measured_s);
        sheet_text(sheet, "nccl_predicted", c->predicted < 0 ? NULL : nccl_pair_name(c->predicted));
        sheet_text(sheet, "nccl_ran", c->ran < 0 ? NULL : nccl_pair_name(c->ran));
        if (c->ran >= 0)
            sheet_count(sheet, "nccl_agrees", c->ran == c->predicted);
        sheet_number(sheet, "nccl_margin", c->margin);
    }
    return sheet;
}

void nccl_answer_print(const GArray *choices, const Sheet *sheet, FILE *to)
{
    static const SheetView view[] = {{"collective"},     {"ranks"},    {"nodes"},       {"nccl_bytes"},  {"measured_s"},
                                     {"nccl_predicted"}, {"nccl_ran"}, {"nccl_agrees"}, {"nccl_margin"}, {NULL}};
    guint known;
    const guint agree = nccl_choices_agree(choices, &known);
    g_autofree char *text =
        known ? g_strdup_printf("NCCL's choices: %u of %u are what its table of latencies and bandwidths gives", agree,
                                known)
              : g_strdup("NCCL's choices, as its table of latencies and bandwidths gives them");
    wrap_print(to, "", text);
    fputc('\n', to);
    sheet_table(sheet, view, 0, choices->len, "", to);
}
