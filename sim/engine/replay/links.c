#include "engine/replay/links.h"
#include <string.h>

static void free_links(Site *site)
{
    LinkPrices *x = site->links;
    if (x->free_prices)
        x->free_prices(site);
    g_free(x->price);
    g_free(x->first);
    g_free(x->next);
    g_free(x->load_s);
    g_free(x->of_class);
    g_free(x->most);
    g_free(x);
}

void links_begin(LinkPrices *x)
{
    memcpy(x->next, x->first, (size_t)x->p * sizeof *x->next);
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

void links_find_most(Site *site)
{
    const LinkPrices *x = site->links;
    site->most[x->term] = x->most_hops;
    memcpy(site->most + x->term + 1, x->most, (size_t)x->n_classes * sizeof *x->most);
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

void links_count(const Site *site, int level, uint64_t bytes, const LinkPrice *price, bool waits, int64_t *count)
{
    const LinkPrices *x = site->links;
    site_count_charge(site, &site->link[level].message, waits ? 0 : bytes, count);
    count[x->term] += price->hops;
    if (waits)
        count[x->term + 1 + price->class] += (int64_t)price->load;
}
