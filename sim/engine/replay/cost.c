#include "engine/replay/cost.h"

const TermKind cost_terms[COST_TERMS] = {TERM_ALPHA, TERM_BETA, TERM_GAMMA};

Hockney hockney_figures(const Platform *platform, Transfer transfer)
{
    const double *value = platform->value;
    return (Hockney){
        .alpha = value[KEY_ALPHA], .beta = value[KEY_BETA], .gamma = value[KEY_GAMMA], .transfer = transfer};
}

bool cost_may_be_nothing(const Hockney *h)
{
    bool may = !h->site && h->alpha == 0;
    for (int k = 0; h->site && k < h->site->n_levels; k++)
        may |= h->site->link[k].message.once == 0;
    return may;
}

bool certificate_equal(const Certificate *a, const Certificate *b)
{
    return a->alpha == b->alpha && a->beta == b->beta && a->gamma == b->gamma;
}

void certificate_counts(const Certificate *c, int64_t *count)
{
    count[0] = c->alpha;
    count[1] = c->beta;
    count[2] = c->gamma;
}

double certificate_value(const Hockney *h, int term)
{
    const double value[COST_TERMS] = {h->alpha, h->beta, h->gamma};
    return value[term];
}

double certificate_time(const Certificate *c, const Hockney *h)
{
    return (double)c->alpha * h->alpha + (double)c->beta * h->beta + (double)c->gamma * h->gamma;
}
