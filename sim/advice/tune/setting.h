// A setting: rules for several collectives that are loaded together. Those of one collective act in what algorithms of
// another one call, so each is found with the rules that are there already:
//
//     rules within nodes  -->  rules between nodes  -->  rules for calls of programs, which these make faster or slower
//
// The order is that of tune_calls_others(): what calls others comes last.
#pragma once
#include "advice/tune/tune.h"
#include "search/search/request.h"

// Makes an empty setting, of Tune *. Free with g_ptr_array_unref.
GPtrArray *setting_new(void);
// Finds the rules of a collective as tune_compute and tune_refine do, with the length of HAN's segments that is the
// fastest unless the request has one, and adds them. For Open MPI's pair of files, it also adds rules for what HAN
// calls between the nodes, if they make calls of the grid faster (between.h). Rules for calls of programs can act there
// too, and the times are those with them. The tunes are in the order of collectives, and those of one in the order in
// which their rules come. Returns the rules for calls of programs, or NULL and an error on bad input.
const Tune *setting_add(Request *request, Collective collective, size_t elem, double within, gboolean by_call,
                        GPtrArray *tunes, GError **error);
