/* Preloaded into a program that takes its seed from /dev/urandom and offers no option for one:
 * it reads the file named by SEEDED_RANDOM instead, from a new place at each opening. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 64 };

FILE *fopen(const char *path, const char *mode) {
    static long openings;
    FILE *(*open_file)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    const char *seeded = getenv("SEEDED_RANDOM");
    if (!seeded || strcmp(path, "/dev/urandom") != 0) return open_file(path, mode);
    FILE *stream = open_file(seeded, mode);
    if (stream) fseek(stream, PLACE * openings++, SEEK_SET);
    return stream;
}
