#include "search/form/text_print.h"
#include "search/form/text_run.h"

typedef struct Printer {
    TextRun text;
    TextPrint print;
} Printer;

// Mixes one more number into both words, each with factors of its own.
static void mix(TextPrint *x, uint64_t value)
{
    x->word[0] = (x->word[0] ^ value) * 0x9e3779b97f4a7c15u;
    x->word[0] ^= x->word[0] >> 29;
    x->word[1] = (x->word[1] + value) * 0xd6e8feb86659fd93u;
    x->word[1] ^= x->word[1] >> 32;
}

static void mix_slice(TextPrint *x, const Slice *slice)
{
    mix(x, (uint64_t)(unsigned)slice->buf << 32 | (unsigned)slice->readers);
    mix(x, slice->off);
    mix(x, slice->len);
}

static void print_issue(CollRun *run, const CollIssue *op)
{
    TextPrint *x = &((Printer *)run)->print;
    mix(x, (uint64_t)op->kind << 32 | (unsigned)op->n);
    mix(x, (uint64_t)(unsigned)op->to << 32 | (unsigned)op->from);
    mix_slice(x, op->out);
    mix_slice(x, op->in);
    mix_slice(x, op->right);
    for (int i = 0; op->which && i < op->n; i++)
        mix(x, (unsigned)op->which[i]);
}

TextPrint text_print(const Operation *op, int n, const int *ranks)
{
    Printer printer = {.print = {{0}}};
    TextPrint all = {{0}};
    text_run_init(&printer.text, print_issue);
    printer.text.run.no_copies = false;
    for (int i = 0; i < n; i++) {
        printer.print = (TextPrint){{0}};
        text_run(&printer.text, op, ranks[i]);
        for (size_t k = 0; k < G_N_ELEMENTS(all.word); k++)
            all.word[k] = all.word[k] * 0x9e3779b97f4a7c15u + printer.print.word[k];
    }
    coll_run_clear(&printer.text.run);
    return all;
}
