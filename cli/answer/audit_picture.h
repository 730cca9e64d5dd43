// The picture of a wrong cost.
#pragma once
#include "audit/audit.h"
#include "base/output.h"

// Draws the wrong coefficient over the number of ranks, the claim as a line and the truth as points, and adds the svg
// to the set under the name `path`. Sets *title to the answer that stands above the picture; free it with g_free.
gboolean audit_picture(const Audited *r, const char *path, OutputSet *set, char **title, GError **error);
