// What terminals, launchers and other programs add to the lines of a job.
#include "measurements/logs/logs.h"
#include <string.h>

// Returns the length of a time in front of a line, as containers and the program ts write it; 0 if there is none.
static size_t stamp_of(const char *line)
{
    static const char *const forms[] = {"dddd-dd-ddTdd:dd:dd", "dddd-dd-dd dd:dd:dd", "[dddd-dd-dd dd:dd:dd",
                                        "aaa dd dd:dd:dd"}; // d for a digit, a for a letter
    for (size_t k = 0; k < G_N_ELEMENTS(forms); k++) {
        size_t i = 0;
        for (char c; (c = forms[k][i]); i++)
            if (c == 'd' ? !g_ascii_isdigit(line[i]) : c == 'a' ? !g_ascii_isalpha(line[i]) : line[i] != c)
                break;
        if (!forms[k][i] && line[i += strcspn(line + i, " \t")])
            return i + 1;
    }
    return 0;
}

// Returns the length of what a launcher puts in front of each line that a rank prints: "[1,0]<stdout>:",
// "[prterun-n1-7@1,0]<stdout>: " and "Fri Mar 01 10:00:00 2024[1,0]<stdout>:" of Open MPI, "[0] " of MPICH, "0: " of Slurm.
static size_t prefix_of(const char *line)
{
    static const char stream[] = "<stdout>:";
    const char *const named = strstr(line, stream);
    if (named)
        return (size_t)(named - line) + strlen(stream) + (named[strlen(stream)] == ' ');
    const size_t blanks = strspn(line, " "), digits = strspn(line + blanks, "0123456789");
    const char *const close = *line == '[' ? line + strcspn(line, "]") : "";
    if (*close == ']' && close > line + 1 && close == line + 1 + strspn(line + 1, "0123456789") && close[1] == ' ')
        return (size_t)(close + 2 - line);
    return digits && g_str_has_prefix(line + blanks + digits, ": ") ? blanks + digits + 2 : 0;
}

// Takes what sets colours, "\e[1m", out of a line.
static void uncolour(char *line)
{
    char *to = line;
    for (const char *c = line; *c; c++)
        if (c[0] == '\033' && c[1] == '[')
            for (c++; c[1] && !g_ascii_isalpha(*c); c++)
                ;
        else
            *to++ = *c;
    *to = '\0';
}

char *log_bare(char *line)
{
    if (strchr(line, '\033'))
        uncolour(line);
    line += stamp_of(line);
    return g_strchomp(line + prefix_of(line));
}
