#include "order/order.h"
#include "registry/composition.h"
#include "api/backend.h"
#include "api/communicate.h"

typedef struct OrderPass {
    CollRun run;
    GArray *posts;
} OrderPass;

static void take(CollRun *run, const CollIssue *op)
{
    OrderPass *x = (OrderPass *)run;
    const int self = coll_world(op->view, op->view->rank);
    const bool both = op->kind == COLL_SENDRECV;
    const OrderWay way = both                                               ? POST_EITHER
                         : op->kind == COLL_ISEND || op->kind == COLL_IRECV ? POST_RETURNS
                                                                            : POST_WAITS;
    const OrderPost in = {false, op->from, op->in->len, way}, out = {true, op->to, op->out->len, way};
    if ((both && op->from != self) || op->kind == COLL_RECV || op->kind == COLL_IRECV)
        g_array_append_val(x->posts, in);
    if ((both && op->to != self) || op->kind == COLL_SEND || op->kind == COLL_ISEND)
        g_array_append_val(x->posts, out);
}

const CollAlgorithm *order_text(const CollAlgorithm *algorithm, const Coll *view, GArray *posts)
{
    Coll c = *view;
    const char *why;
    OrderPass pass = {.posts = posts};
    coll_run_init(&pass.run, take);
    c.run = &pass.run;
    g_array_set_size(posts, 0);
    const CollAlgorithm *ran = coll_resolve(algorithm, &c, &why);
    if (ran)
        ran->run(&c);
    coll_run_clear(&pass.run);
    return ran;
}

void order_drop_empty(GArray *posts)
{
    guint n = 0;
    for (guint i = 0; i < posts->len; i++)
        if (g_array_index(posts, OrderPost, i).len > 0)
            g_array_index(posts, OrderPost, n++) = g_array_index(posts, OrderPost, i);
    g_array_set_size(posts, n);
}

static int by_message(const void *x, const void *y)
{
    const OrderPost *a = x, *b = y;
    if (a->sends != b->sends || a->peer != b->peer)
        return a->sends != b->sends ? a->sends - b->sends : a->peer - b->peer;
    return a->len < b->len ? -1 : a->len > b->len;
}

void order_sort(GArray *posts)
{
    g_array_sort(posts, by_message);
}

bool order_post_equal(const OrderPost *library, const OrderPost *text)
{
    return library->sends == text->sends && (library->peer == text->peer || library->peer == ORDER_ANY) &&
           (library->sends ? library->len == text->len || library->len == ORDER_UNKNOWN : library->len >= text->len);
}

bool order_equal(const GArray *library, const GArray *text)
{
    bool equal = library->len == text->len;
    for (guint i = 0; equal && i < library->len; i++)
        equal = order_post_equal(&g_array_index(library, OrderPost, i), &g_array_index(text, OrderPost, i));
    return equal;
}

void order_describe(GString *s, const GArray *posts, guint most)
{
    for (guint i = 0; i < posts->len && i < most; i++) {
        const OrderPost *x = &g_array_index(posts, OrderPost, i);
        g_string_append_printf(s, " %s%c%d", x->way == POST_RETURNS ? "i" : "", x->sends ? 's' : 'r', x->peer);
        if (x->len != ORDER_UNKNOWN)
            g_string_append_printf(s, ":%" G_GUINT64_FORMAT, x->len);
    }
}
