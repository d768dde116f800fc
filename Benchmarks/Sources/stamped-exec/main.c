// Becomes another program, which learns from its environment when that happened and what this process had used by then:
// "nanoseconds of CLOCK_MONOTONIC, microseconds of user time, microseconds of system time".
//
// So a program can tell how long it took from its very start, before any of its own code ran, whatever was between the
// fork and the exec.
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
