// The columns of CSV and JSON that depend on the model: figures of the machine, and how often a certificate pays each kind of
// cost (term_column). docs/FORMATS.md describes them.
#pragma once
#include "engine/model/model.h"

// Returns the column of a platform's figure, "alpha_s" or "beta_s_per_byte"; NULL if it has none. Free with g_free.
char *model_figure_column(PlatformKey key);

// Returns true if rows of a model on a platform have the column of a figure that the model reads.
bool model_has_figure(const Platform *platform, PlatformKey key);

// Returns true if the platform has that figure, and it is a number: a size may be unlimited.
bool model_knows_figure(const Platform *platform, PlatformKey key);

// Returns true if rows of a model have a column for the counts of a kind of term. Figures that are not optional have one in
// any case.
//   platform  NULL if times are measured
bool model_pays_term(const Platform *platform, TermKind kind);
