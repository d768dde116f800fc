#include "Check.h"

#include <stdio.h>

static int failures;

void check_that(int holds, const char *condition, const char *file, int line) {
    if (holds) return;
    fprintf(stderr, "%s:%d: error: does not hold: %s\n", file, line, condition);
    failures++;
}

int check_all(const char *name, const struct check *checks, size_t count) {
    size_t failed = 0;
    for (size_t index = 0; index < count; index++) {
        failures = 0;
        checks[index].run();
        if (failures) {
            fprintf(stderr, "%s: failed: %s\n", name, checks[index].title);
            failed++;
        }
    }
    printf("%s: %zu passed, %zu failed\n", name, count - failed, failed);
    return failed != 0;
}
