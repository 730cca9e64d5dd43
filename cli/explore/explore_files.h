// The files of the page, as data of the program.
#pragma once

typedef struct ExploreFile {
    const char *name, *type; // "": the page itself
    const char *begin, *end;
} ExploreFile;
extern const ExploreFile explore_files[]; // ended by one without a name
