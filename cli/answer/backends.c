#include "answer/backends.h"
#include "base/units.h"
#include "out/json.h"
#include "out/table.h"
#include <math.h>
#include <stdio.h>

static char *time_text(double seconds)
{
    return isnan(seconds) ? g_strdup("-") : units_format_time(seconds);
}

// Prints "ring is SimGrid's ring: equal" for each algorithm, or by how much the times differ at most, and why.
static void print_twins(const BackendCheck *c)
{
    g_autoptr(GHashTable) told = g_hash_table_new(NULL, NULL);
    g_autoptr(GString) alone = g_string_new(NULL);
    putchar('\n');
    for (guint i = 0; i < c->points->len; i++) {
        const CollAlgorithm *a = c->of[i].point->algorithm;
        const Comparison *worst = &c->of[i];
        if (!g_hash_table_add(told, (gpointer)(uintptr_t)a))
            continue;
        for (guint k = i; k < c->points->len; k++)
            if (c->of[k].point->algorithm == a && c->of[k].twin &&
                (!worst->twin || isnan(worst->twin_difference) ||
                 fabs(c->of[k].twin_difference) > fabs(worst->twin_difference)))
                worst = &c->of[k];
        if (!worst->twin)
            g_string_append_printf(alone, "%s%s", alone->len ? ", " : "", a->name);
        else if (isnan(worst->twin_difference))
            printf("%s is SimGrid's %s: %s\n", a->name, worst->twin->name, worst->twin_why);
        else if (fabs(worst->twin_difference) <= CHECK_EQUAL)
            printf("%s is SimGrid's %s: equal\n", a->name, worst->twin->name);
        else
            printf("%s is SimGrid's %s: differs by up to %+.1f %%: %s\n", a->name, worst->twin->name,
                   100 * worst->twin_difference, worst->twin_why ? worst->twin_why : "and must not");
    }
    if (alone->len)
        printf("SimGrid has none, or not at these points: %s\n", alone->str);
}

static void add_row(Table *table, const BackendCheck *c, const Comparison *x)
{
    const CollAlgorithm *a = x->point->algorithm, *ran = x->point->ran;
    table_add(table, ran && ran != a ? g_strdup_printf("%s (ran %s)", a->name, ran->name) : g_strdup(a->name));
    table_add(table, g_strdup_printf("%d", x->point->p));
    table_add(table, units_format_size(x->point->m));
    for (int b = 0; b < N_BACKENDS; b++)
        if (c->asked[b])
            table_add(table, time_text(x->time_s[b]));
    table_add(table, time_text(x->closed_form_s));
    table_add(table, !x->point->ran                 ? g_strdup(x->point->why)
                     : x->class == CLASS_NONE       ? g_strdup("")
                     : x->class == CLASS_EQUAL      ? g_strdup_printf("%+.1e", x->difference)
                     : x->class == CLASS_UNMODELLED ? g_strdup_printf("%s", backend_class_names[x->class])
                     : isnan(x->smpi_form_s)
                         ? g_strdup_printf("%+.1f %% %s", 100 * x->difference, backend_class_names[x->class])
                         : g_strdup_printf("%+.1f %% %s, smpi by its form", 100 * x->difference,
                                           backend_class_names[x->class]));
}

void backends_table(const BackendCheck *c)
{
    const Request *r = &c->request;
    const char *names[5 + N_BACKENDS] = {"algorithm", "ranks", "bytes"};
    int n = 3;
    for (int b = 0; b < N_BACKENDS; b++)
        if (c->asked[b])
            names[n++] = backend_names[b];
    names[n++] = "closed form";
    names[n++] = c->asked[BACKEND_SIM] && c->asked[BACKEND_SMPI] ? "sim - smpi" : "";
    Table *table = table_new(n);
    guint in_class[N_CLASSES] = {0};
    for (int i = 0; i < n; i++)
        table_add(table, g_strdup(names[i]));
    for (guint i = 0; i < c->points->len; i++) {
        in_class[c->of[i].class]++;
        add_row(table, c, &c->of[i]);
    }
    printf("%s on %s, model %s%s%s\n\n", collectives[r->collective].name, r->platform->name, r->model->name,
           r->model->transfers ? ", " : "", r->model->transfers ? transfer_names[r->options.transfer] : "");
    table_print(table, "");
    table_free(table);
    if (c->asked[BACKEND_SIM] && c->asked[BACKEND_SMPI])
        printf("\nsim and smpi: %u equal to 1e-9, %u port sharing, %u unmodelled, %u different\n",
               in_class[CLASS_EQUAL], in_class[CLASS_SHARING], in_class[CLASS_UNMODELLED], in_class[CLASS_DIFFERENT]);
    if (c->asked[BACKEND_SIMGRID])
        print_twins(c);
}

static void json_time(Json *json, const char *key, double seconds)
{
    if (isnan(seconds))
        json_string(json, key, NULL);
    else
        json_number(json, key, seconds);
}

void backends_json(const BackendCheck *c)
{
    Json json = {.text = g_string_new(NULL), .first = TRUE};
    json_open(&json, NULL, '[');
    for (guint i = 0; i < c->points->len; i++) {
        const Comparison *x = &c->of[i];
        g_autofree char *params = params_text(x->point->algorithm, &x->point->par);
        json_open(&json, NULL, '{');
        json_string(&json, "collective", collectives[c->request.collective].name);
        json_string(&json, "algorithm", x->point->algorithm->name);
        json_string(&json, "parameters", params);
        json_string(&json, "platform", c->request.platform->name);
        json_string(&json, "ran", x->point->ran ? x->point->ran->name : NULL);
        json_integer(&json, "p", x->point->p);
        json_integer(&json, "bytes", (gint64)x->point->m);
        json_integer(&json, "root", x->point->root);
        for (int b = 0; b < N_BACKENDS; b++)
            if (c->asked[b])
                json_time(&json, backend_names[b], x->time_s[b]);
        json_time(&json, "closed_form", x->closed_form_s);
        json_time(&json, "smpi_form", x->smpi_form_s);
        json_time(&json, "difference", x->class == CLASS_NONE ? NAN : x->difference);
        json_string(&json, "class", x->class == CLASS_NONE ? NULL : backend_class_names[x->class]);
        json_string(&json, "why", x->why);
        if (c->asked[BACKEND_SIMGRID]) {
            json_string(&json, "simgrid_name", x->twin ? x->twin->name : NULL);
            json_time(&json, "simgrid_difference", x->twin ? x->twin_difference : NAN);
            json_string(&json, "simgrid_why", x->twin_why);
        }
        json_string(&json, "wrong", x->wrong);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}
