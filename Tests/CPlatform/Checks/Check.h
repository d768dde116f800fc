// The shared parts of the checks in C. A check is a function that expects conditions; `main` runs a table of them.
#ifndef SOCKEYE_CHECK_H
#define SOCKEYE_CHECK_H

#include <stddef.h>

struct check {
    const char *title;
    void (*run)(void);
};

#define EXPECT(condition) check_that((condition), #condition, __FILE__, __LINE__)

// Prints the condition with its place if it does not hold.
void check_that(int holds, const char *condition, const char *file, int line);

// Runs all checks, prints the titles of those that failed, and a summary. Returns the status for the end of `main`.
int check_all(const char *name, const struct check *checks, size_t count);

#define CHECK_ALL(name, checks) check_all((name), (checks), sizeof(checks) / sizeof *(checks))

#endif
