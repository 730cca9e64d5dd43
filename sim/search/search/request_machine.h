// The model, the transfer and the root of a request, from the texts that name them.
#pragma once
#include "search/search/request.h"

// Returns the model of messages that a platform's runs have by default: what its file says, or else measured if it has
// [measured], and otherwise hockney, also without a platform.
const Model *request_default_model(const Platform *platform);
// Returns FALSE and an error unless the command knows the model: hockney, or also measured if `measured` is set.
gboolean request_knows(const char *command, const Model *model, gboolean measured, GError **error);

// Each of the following functions fills in a part of the request, and returns FALSE and an error on bad input.

// Sets the model, which must be able to time all algorithms that are named. A name of NULL means the default: shared if
// the first algorithm named is one of shared memory, otherwise that of the request's platform (request_default_model).
gboolean request_model(Request *request, const char *name, GError **error);
// Sets how two ranks meet; NULL means rendezvous. The model must be set.
gboolean request_transfer(Request *request, const char *name, GError **error);
// Sets the root: a rank, or `all`; NULL means rank 0.
gboolean request_root(Request *request, const char *text, GError **error);
// Returns FALSE and an error if the platform lacks a figure that the model needs. Only reductions need gamma.
gboolean request_need_figures(const Request *request, GError **error);
