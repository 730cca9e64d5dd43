#include "ask/ask_skew.h"

void skew_options_clear(SkewOptions *o)
{
    g_free(o->arrival);
    g_free(o->noise);
    g_free(o->seeds);
    g_free(o->by);
}

gboolean ask_skew(const SkewOptions *o, RequestMachine *x, GError **error)
{
    return request_skew(x, &(RequestSkew){o->arrival, o->noise, o->seeds, o->by}, error);
}
