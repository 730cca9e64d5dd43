// `calibrate --site`: the options of calibrate that it takes, and what it does.
#pragma once
#include "out/answer.h"

typedef struct CalibrateSite {
    const char *folder, *levels, *base, *names, *write, *title; // all but the folder may be NULL
    char **sets;
    AnswerOptions *answer;
} CalibrateSite;

// Reads the folder, prints the answer and writes the machine. Returns the exit status, with *error set if it is 2.
int calibrate_site(const CalibrateSite *site, GError **error);
// Returns the name of a machine that is written to a file: the file's without its folder and .ini. Free with g_free.
char *calibrate_name(const char *path);
