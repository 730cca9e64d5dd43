// Files in the place of names of algorithms: `run bcast all,./mine.c`.
#pragma once
#include "search/search/request.h"

// Loads the plugins among names joined by commas, and returns the names with each file replaced by the names of its
// algorithms of the request's collective; all,FILE becomes "all", which then has those of the file. Free with g_free.
// Returns NULL and an error if a file is not a plugin or has no algorithm of the collective, or if the request keeps to
// what a library can be told to run.
char *ask_plugins(const char *names, const Request *request, GError **error);
// Returns the name that one word stands for: the word itself, or of a file, which is loaded, the name of its algorithm
// of the collective. Free with g_free. Returns NULL and an error if the file is not a plugin or does not have one such
// algorithm.
char *ask_plugin(const char *word, Collective collective, GError **error);
// Takes the words that end in .c or .so from a list of files with data, which ends in NULL, and loads them, so that the
// data may have the names of their algorithms. Returns FALSE and an error if one is not a plugin.
gboolean ask_plugin_files(char **words, GError **error);
// Replaces the files in each NAME=VALUE of --param, whose values may be algorithms of any collective: `params` is a
// list that ends in NULL, or NULL. An element that has a file is freed and replaced. A file must have one algorithm.
// Returns FALSE and an error if that fails.
gboolean ask_plugin_params(char **params, GError **error);
