// A wrong cost, drawn.
#pragma once
#include "audit/audit.h"

// Draws the coefficient that is wrong over the number of ranks, as it is claimed (a line) and as it is (points), into an
// svg. *title is the answer that stands above it; free with g_free.
gboolean audit_picture(const Audited *r, const char *path, char **title, GError **error);
