// The picture of a wrong cost.
#pragma once
#include "audit/audit.h"

// Draws the wrong coefficient over the number of ranks to an svg: what is claimed as a line, what is true as points. Sets
// *title to the answer that stands above the picture; free it with g_free.
gboolean audit_picture(const Audited *r, const char *path, char **title, GError **error);
