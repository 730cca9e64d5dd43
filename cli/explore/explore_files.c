#include "explore/explore_files.h"
#include <stddef.h>

// The assembler reads the files, whose paths are from the top of the tree, where make runs.
#define FILE_OF_PAGE(name, path)                                                                                       \
    extern const char name##_begin[], name##_end[];                                                                    \
    __asm__(".section .rodata\n.global " #name "_begin\n.global " #name "_end\n.hidden " #name                         \
            "_begin\n.hidden " #name "_end\n" #name "_begin:\n.incbin \"" path "\"\n" #name                            \
            "_end:\n.byte 0\n.previous\n")
FILE_OF_PAGE(explore_page, "cli/explore/page.html");
FILE_OF_PAGE(explore_style, "cli/explore/page.css");
FILE_OF_PAGE(explore_script, "cli/explore/page.js");
FILE_OF_PAGE(explore_rows, "cli/explore/rows.js");

const ExploreFile explore_files[] = {
    {"", "text/html; charset=utf-8", explore_page_begin, explore_page_end},
    {"page.css", "text/css; charset=utf-8", explore_style_begin, explore_style_end},
    {"page.js", "text/javascript; charset=utf-8", explore_script_begin, explore_script_end},
    {"rows.js", "text/javascript; charset=utf-8", explore_rows_begin, explore_rows_end},
    {NULL},
};
