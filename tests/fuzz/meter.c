// The options of measurements, one a line: --mpi, --sync, --budget, --precision, --repetitions, --warmup, --patience.
#include "ask/ask_meter.h"
#include "fuzz.h"

FUZZ_HARNESS(meter)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 6);
    const MeterOptions options = {.mpi = fuzz_given(text[0]),
                                  .sync = fuzz_given(text[1]),
                                  .budget = fuzz_given(text[2]),
                                  .precision = fuzz_given(text[3]),
                                  .repetitions = fuzz_given(text[4]),
                                  .warmup = fuzz_given(text[5]),
                                  .patience = fuzz_given(text[6])};
    g_autoptr(GError) error = NULL;
    g_auto(Meter) meter = {0};
    if (fuzz_outcome(ask_meter(&options, &meter, &error), &error))
        g_assert_true(meter.plan.least >= 1 && meter.plan.most >= meter.plan.least && meter.plan.warmup >= 0 &&
                      meter.plan.budget_s > 0 && meter.plan.precision >= 0);
    return 0;
}
