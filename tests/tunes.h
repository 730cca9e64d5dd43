// What the tests of `tune` share.
#pragma once
#include "search/search/request.h"

// Fills in a request for a grid on a machine with levels, for a file of the library. The lists have spaces between their
// numbers. Free with request_clear.
void tunes_request(Request *r, LibraryId library, const char *ranks, const char *sizes);
// Returns an array of Tune * that frees them. Free with g_ptr_array_unref.
GPtrArray *tunes_new(void);
