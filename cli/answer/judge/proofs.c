#include "answer/judge/proofs.h"
#include "ask/stop.h"
#include "judge/prove/prove.h"

static void add_step(Sheet *sheet, const CollAlgorithm *a, ProveStep step, const Proof *proof)
{
    sheet_row(sheet);
    sheet_text(sheet, "collective", collectives[a->collective].name);
    sheet_text(sheet, "algorithm", a->name);
    sheet_text(sheet, "step", prove_names[step]);
    sheet_count(sheet, "proved", proof->fault == NULL);
    sheet_count(sheet, "cases", proof->cases);
    sheet_text(sheet, "fault", proof->fault);
}

// Takes the steps up to the first fault. Returns TRUE if there is none.
static gboolean prove(const Answer *answer, Sheet *sheet, const CollAlgorithm *a)
{
    gboolean good = TRUE;
    if (answer->format == FORMAT_TABLE)
        fprintf(answer->to, "%s %s\n", collectives[a->collective].name, a->name);
    for (int step = 0; step < N_PROVE_STEPS && good; step++) {
        Proof proof;
        prove_step(a, (ProveStep)step, &proof);
        good = proof.fault == NULL;
        add_step(sheet, a, (ProveStep)step, &proof);
        if (answer->format == FORMAT_TABLE)
            fprintf(answer->to, "  %-9s %-6s  %s\n", prove_names[step], good ? "ok" : "FAILED",
                    good ? proof.said : proof.fault);
        fflush(answer->to);
        proof_clear(&proof);
    }
    return good;
}

gboolean proofs_report(const Answer *answer, const GPtrArray *entries, guint *done)
{
    static const char *const columns[] = {"collective", "algorithm", "step", "proved", "cases", "fault", NULL};
    g_autoptr(Sheet) sheet = sheet_new("rows", columns);
    gboolean good = TRUE;
    for (*done = 0; *done < entries->len && !stop_came(); ++*done)
        good &= prove(answer, sheet, g_ptr_array_index(entries, *done));
    if (answer->format != FORMAT_TABLE)
        answer_sheets(answer, "check", (const Sheet *const[]){sheet}, 1);
    return good;
}
