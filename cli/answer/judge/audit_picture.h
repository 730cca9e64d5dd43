// The picture of a wrong cost.
#pragma once
#include "judge/audit/audit.h"

// Draws the wrong coefficient over the number of ranks, the claim as a line and the truth as points. Returns the svg,
// and sets *title to the answer that stands above the picture, or returns NULL and an error. Free both, the svg with
// g_string_free.
GString *audit_picture(const Audited *r, char **title, GError **error);
