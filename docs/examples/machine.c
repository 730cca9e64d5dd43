// A platform from memory, one from measurements, and what there is.
#include <collsim.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "[hockney]\nalpha = 2us\nalpha.source = a guess\nbeta = 1GB/s\nbeta.source = a guess\n";
static const char latency[] =
    "# OSU MPI Latency Test v7.0\n# Size          Latency (us)\n"
    "1 1.01\n2 1.02\n4 1.04\n8 1.08\n16 1.16\n32 1.32\n64 1.64\n128 2.28\n256 3.56\n512 6.12\n";

int main(void)
{
    collsim_error *error = NULL;
    collsim_platform *guessed = collsim_platform_parse("guess", text, strlen(text), &error);
    char *shown = collsim_platform_text(guessed, &error);
    printf("%s\n%s", collsim_platform_name(guessed), shown ? shown : "");
    collsim_free(shown);
    collsim_platform_free(guessed);

    FILE *file = fopen("latency.txt", "w");
    fputs(latency, file);
    fclose(file);
    const char *files[] = {"latency.txt"};
    collsim_platform *measured = collsim_calibrate("hockney", files, 1, NULL, "here", &error);
    shown = collsim_platform_text(measured, &error);
    printf("\n%s\n%s", collsim_platform_name(measured), shown ? shown : "");
    collsim_free(shown);
    collsim_platform_free(measured);
    remove("latency.txt");

    printf("\nVersion %s has\n", collsim_version());
    for (size_t i = 0; i < collsim_collective_count(); i++) {
        const char *collective = collsim_collective_name(i);
        printf("  %-20s %2d algorithms, the first is %s\n", collective, (int)collsim_algorithm_count(collective),
               collsim_algorithm_name(collective, 0));
    }
    if (error)
        printf("error %d: %s\n", collsim_error_code(error), collsim_error_message(error));
    collsim_error_free(error);
    return 0;
}
