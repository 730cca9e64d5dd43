#include "answer/goal.h"
#include "answer/report.h"
#include "base/units.h"
#include "loggops/goal_text.h"
#include "out/json.h"
#include "out/table.h"
#include <stdio.h>
#include <string.h>

// ---- An answer ----------------------------------------------------------------------------------------------------------

void goal_run_csv(const GoalRun *x)
{
    puts("rank,finish_ns");
    for (uint32_t rank = 0; rank < x->result->n_hosts; rank++) {
        g_autofree char *ns = platform_ticks_to_ns(&x->unit, x->result->finish[rank]);
        printf("%u,%s\n", rank, ns);
    }
}

void goal_run_table(const GoalRun *x)
{
    enum { SHOWN = 16 };
    printf("%s on %s (%s), model loggops%s\n\n", x->file, x->platform->name, x->platform->title,
           x->unit.rounded ? ", parameters rounded to 1 fs" : "");
    const LoggopsTicksResult *r = x->result;
    const uint64_t last = r->finish[r->last_host];
    g_autofree char *slowest = platform_ticks_to_ns(&x->unit, last);
    Table *t = table_new(6);
    for (int i = 0; i < 6; i++)
        table_add(t,
                  g_strdup((const char *const[]){"ranks", "time", "ns", "slowest rank", "messages", "operations"}[i]));
    table_add(t, g_strdup_printf("%u", r->n_hosts));
    table_add(t, units_format_time((double)last / (double)x->unit.per_ns * 1e-9));
    table_add(t, g_strdup(slowest));
    table_add(t, g_strdup_printf("%u", r->last_host));
    table_add(t, g_strdup_printf("%u", goal_n_messages(x->goal)));
    table_add(t, g_strdup_printf("%u", goal_n_ops(x->goal)));
    table_print(t, "");
    table_free(t);
    if (x->wall_s >= 0)
        printf("\nread and run in %.3f s, peak memory %.0f MB\n", x->wall_s, (double)report_peak_rss() / (1 << 20));
    if (r->n_hosts > SHOWN) {
        printf("\n--format csv or json tells when each rank ends.\n");
        return;
    }
    puts("");
    Table *ranks = table_new(2);
    table_add(ranks, g_strdup("rank"));
    table_add(ranks, g_strdup("ends at, ns"));
    for (uint32_t rank = 0; rank < r->n_hosts; rank++) {
        table_add(ranks, g_strdup_printf("%u", rank));
        table_add(ranks, platform_ticks_to_ns(&x->unit, r->finish[rank]));
    }
    table_print(ranks, "");
    table_free(ranks);
}

// Returns a peer or a tag, or -1 if any will do.
static gint64 or_any(uint32_t x)
{
    return x == GOAL_ANY ? -1 : (gint64)x;
}

static void add_stuck(Json *json, const char *key, const GArray *stuck, gboolean blocked)
{
    static const char *const kinds[] = {"send", "recv", "calc"};
    json_open(json, key, '[');
    for (guint i = 0; i < stuck->len; i++) {
        const LoggopsStuck *s = &g_array_index(stuck, LoggopsStuck, i);
        if ((s->why == LOGGOPS_STUCK_BLOCKED) != blocked)
            continue;
        g_autofree char *size = g_strdup_printf("%" G_GUINT64_FORMAT, s->what.size);
        json_open(json, NULL, '{');
        json_integer(json, "rank", s->what.host);
        json_string(json, "kind", kinds[s->what.kind]);
        if (s->what.kind != GOAL_CALC)
            json_integer(json, "peer", or_any(s->what.peer));
        json_literal(json, "size", size);
        if (s->what.kind != GOAL_CALC)
            json_integer(json, "tag", or_any(s->what.tag));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_finish(Json *json, const GoalRun *x)
{
    const LoggopsTicksResult *r = x->result;
    g_autofree char *max = platform_ticks_to_ns(&x->unit, r->finish[r->last_host]);
    json_literal(json, "max_finish_ns", max);
    json_integer(json, "slowest_rank", r->last_host);
    json_open(json, "finish_ns", '[');
    for (uint32_t rank = 0; rank < r->n_hosts; rank++) {
        g_autofree char *ns = platform_ticks_to_ns(&x->unit, r->finish[rank]);
        json_literal(json, NULL, ns);
    }
    json_close(json, ']');
}

void goal_run_json(const GoalRun *x)
{
    const struct {
        const char *name;
        uint64_t ticks;
    } costs[] = {
        {"L_ns", x->ticks.L}, {"o_ns", x->ticks.o}, {"g_ns", x->ticks.g}, {"G_ns", x->ticks.G}, {"O_ns", x->ticks.O}};
    Json json = {g_string_new(NULL), TRUE};
    json_open(&json, NULL, '{');
    json_string(&json, "goal", x->file);
    json_string(&json, "platform", x->platform->name);
    json_string(&json, "model", "loggops");
    for (size_t i = 0; i < G_N_ELEMENTS(costs); i++) {
        g_autofree char *ns = platform_ticks_to_ns(&x->unit, costs[i].ticks);
        json_literal(&json, costs[i].name, ns);
    }
    g_autofree char *S = g_strdup_printf("%" G_GUINT64_FORMAT, x->ticks.S);
    json_literal(&json, "S_bytes", x->ticks.S == UINT64_MAX ? "null" : S);
    json_integer(&json, "ranks", goal_n_hosts(x->goal));
    json_integer(&json, "operations", goal_n_ops(x->goal));
    json_integer(&json, "messages", goal_n_messages(x->goal));
    if (x->result->finish) {
        add_finish(&json, x);
    } else {
        add_stuck(&json, "unmatched", x->result->stuck, FALSE);
        add_stuck(&json, "blocked", x->result->stuck, TRUE);
    }
    if (x->wall_s >= 0) {
        json_number(&json, "wall_s", x->wall_s);
        json_integer(&json, "peak_rss_bytes", report_peak_rss());
    }
    json_close(&json, '}');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}

// ---- No answer ----------------------------------------------------------------------------------------------------------

void goal_run_stuck(const GoalRun *x)
{
    enum { SHOWN = 16 };
    static const char *const why[] = {"no message came", "nobody received it", "it never started"};
    const GArray *stuck = x->result->stuck;
    fprintf(stderr, "%s does not end:\n", x->file);
    for (guint i = 0; i < MIN(stuck->len, SHOWN); i++) {
        const LoggopsStuck *s = &g_array_index(stuck, LoggopsStuck, i);
        g_autofree char *op = goal_op_text(&s->what);
        fprintf(stderr, "  rank %u: %s: %s\n", s->what.host, op, why[s->why]);
    }
    if (stuck->len > SHOWN)
        fprintf(stderr, "  and %u more\n", stuck->len - SHOWN);
}
