// Becomes another program, and puts the time of that and this process's CPU time so far into its environment:
// "nanoseconds of CLOCK_MONOTONIC, microseconds of user time, microseconds of system time".
//
// The program can thus measure from its start, before any of its own code runs, without the time between fork and exec.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 2) {
        fputs("usage: stamped-exec PROGRAM [ARGUMENT…]\n", stderr);
        return 2;
    }
    struct rusage usage;
    struct timespec now;
    char text[96];
    getrusage(RUSAGE_SELF, &usage);
    clock_gettime(CLOCK_MONOTONIC, &now);
    snprintf(text, sizeof text, "%lld %lld %lld", now.tv_sec * 1000000000LL + now.tv_nsec,
             usage.ru_utime.tv_sec * 1000000LL + usage.ru_utime.tv_usec,
             usage.ru_stime.tv_sec * 1000000LL + usage.ru_stime.tv_usec);
    setenv("SOCKEYE_BENCH_STARTED", text, 1);
    execv(arguments[1], arguments + 1);
    perror(arguments[1]);
    return 127;
}
