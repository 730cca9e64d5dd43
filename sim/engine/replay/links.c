#include "engine/replay/links.h"
#include <math.h>
#include <string.h>

void links_free(LinkPrices *x)
{
    g_free(x->price);
    g_free(x->step);
    g_free(x->round);
    g_free(x->began);
    g_free(x->took);
    g_free(x->first);
    g_free(x->next);
    g_free(x->load_s);
    g_free(x->of_class);
    g_free(x->most);
    g_free(x->likely);
    g_free(x);
}

static void free_links(Site *site)
{
    if (site->links->free_prices)
        site->links->free_prices(site);
    links_free(site->links);
}

void links_begin(LinkPrices *x)
{
    if (x->step)
        memset(x->next, 0, (size_t)x->p * sizeof *x->next);
    else
        memcpy(x->next, x->first, (size_t)x->p * sizeof *x->next);
    for (uint64_t i = 0; x->round && i < x->prices; i++)
        x->began[i] = NAN;
    if (x->round)
        memset(x->took, 0, x->rounds * sizeof *x->took);
}

static void copy_fields(Site *site)
{
    LinkPrices *x = site->links;
    x->copy_fields(site);
    x->hop = site->field[x->term];
    memcpy(x->of_class, site->field + x->term + 1, (size_t)x->n_classes * sizeof *x->of_class);
}

void links_add(Site *site, LinkPrices *x, const char *const *class)
{
    site->links = x;
    x->copy_fields = site->copy_fields;
    site->copy_fields = copy_fields;
    x->free_prices = site->free_prices;
    site->free_prices = free_links;
    x->term = site_add_term(site, term_of(TERM_HOP, NULL, x->hop_s));
    for (int i = 0; i < x->n_classes; i++)
        site_add_term(site, term_of(TERM_LINK, class[i], x -> load_s[i]));
}

void links_remove(Site *site)
{
    LinkPrices *x = site->links;
    g_assert(site->copy_fields == copy_fields && site->n_terms == x->term + 1 + x->n_classes);
    site->n_terms = x->term;
    site->copy_fields = x->copy_fields;
    site->free_prices = x->free_prices;
    site->links = NULL;
    links_free(x);
}

void links_find_most(Site *site)
{
    const LinkPrices *x = site->links;
    site->most[x->term] = x->most_hops;
    memcpy(site->most + x->term + 1, x->most, (size_t)x->n_classes * sizeof *x->most);
}

void links_expect_less(Site *site)
{
    const LinkPrices *x = site->links;
    uint64_t *most = site->most + x->term;
    for (int i = 0; x->round && i <= x->n_classes; i++)
        most[i] = MIN(most[i], 2 * (i == 0 ? x->likely_hops : x->likely[i - 1]));
}

Stamp links_message(const Hockney *h, Stamp s, int level, uint64_t bytes, const LinkPrice *price, bool waits)
{
    const LinkPrices *x = h->site->links;
    const Charge *c = &h->site->link[level].message;
    s.t += c->once + price->hops * x->hop_s;
    s.t += waits ? (double)price->load * x->load_s[price->class] : (double)bytes * c->byte;
    tally_charge(&s.n, c, waits ? 0 : bytes);
    tally_add(&s.n, x->hop, price->hops);
    if (waits)
        tally_add(&s.n, x->of_class[price->class], price->load);
    return s;
}

Stamp links_extra(const Hockney *h, Stamp s, const LinkPrice *price, bool hops, bool waits)
{
    const LinkPrices *x = h->site->links;
    if (hops) {
        s.t += price->hops * x->hop_s;
        tally_add(&s.n, x->hop, price->hops);
    }
    if (waits) {
        s.t += links_wait(x, price);
        tally_add(&s.n, x->of_class[price->class], price->load);
    }
    return s;
}

Stamp links_end(const Hockney *h, Stamp begin, Stamp ready, int level, uint64_t bytes, const LinkPrice *price,
                bool *waits)
{
    const Stamp end = links_message(h, begin, level, bytes, price, false);
    *waits = false;
    if (price->link < 0)
        return end;
    const Stamp loaded = links_message(h, ready, level, bytes, price, true);
    *waits = loaded.t > end.t;
    return *waits ? loaded : end;
}

void links_note(LinkPrices *x, const LinkPrice *price, double begin_s, double end_s)
{
    const ptrdiff_t i = price - x->price;
    if (!x->round || x->round[i] == LINKS_INSIDE || !isnan(x->began[i])) // a sender and its receiver note the same
        return;
    x->began[i] = begin_s;
    x->took[x->round[i]] += end_s - begin_s;
}

double links_drift(const LinkPrices *x)
{
    if (!x->round)
        return NAN;
    g_autofree uint32_t *n = g_new0(uint32_t, x->rounds + 1);
    g_autofree double *mean = g_new0(double, x->rounds + 1);
    uint64_t all = 0, apart = 0;
    for (uint64_t i = 0; i < x->prices; i++) {
        if (x->round[i] == LINKS_INSIDE || isnan(x->began[i]))
            continue;
        n[x->round[i]]++;
        mean[x->round[i]] += x->began[i];
        all++;
    }
    for (uint32_t i = 0; i < x->rounds; i++)
        mean[i] /= n[i] ? n[i] : 1;
    for (uint64_t i = 0; i < x->prices; i++) {
        const uint32_t round = x->round[i];
        if (round == LINKS_INSIDE || isnan(x->began[i]))
            continue;
        apart += fabs(x->began[i] - mean[round]) > x->took[round] / n[round] / 2;
    }
    return all ? (double)apart / (double)all : NAN;
}

void links_count(const Site *site, int level, uint64_t bytes, const LinkPrice *price, bool waits, int64_t *count)
{
    const LinkPrices *x = site->links;
    site_count_charge(site, &site->link[level].message, waits ? 0 : bytes, count);
    count[x->term] += price->hops;
    if (waits)
        count[x->term + 1 + price->class] += (int64_t)price->load;
}
