// The frontier: compares io_uring with epoll, recv and send in clients of HTTP.
//
// usage: frontier get|threads|download|upload FLAVOUR PORT [CONNECTIONS SECONDS]
//        frontier calls - PORT
//        frontier probe | sink | quick
//
// The files of the clients describe the flavours. Prints the figures as a line of JSON. Unexpected events end the
// program with a message and status 1. Benchmarks/Scripts/frontier.sh runs it.
#include "clients.h"
#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Checks that this machine allows a ring with the settings of get-ring.c.
static void probe(const struct plan *plan) {
    (void)plan;
    struct ring ring;
    struct buffers buffers;
    int error = try_ring(&ring, 64, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
    if (error != 0) fail_with("io_uring_setup", error);
    provide_buffers(&ring, &buffers, 8, 4096);
    register_itself(&ring);
}

static const struct {
    const char *job, *prefix;
    void (*run)(const struct plan *);
} jobs[] = {
    {"get", "epoll", get_by_epoll}, {"get", "readiness", get_by_readiness}, {"get", "ring", get_by_ring},
    {"threads", "", get_by_two_threads}, {"download", "", download}, {"upload", "", upload},
    {"probe", "", probe}, {"calls", "", measure_calls}, {"sink", "", serve_uploads},
    {"quick", "", serve_quickly},
};

int main(int count, char **arguments) {
    const char *job = count > 1 ? arguments[1] : "";
    struct plan plan = {
        .flavour = count > 2 ? arguments[2] : "",
        .port = (uint16_t)(count > 3 ? atoi(arguments[3]) : 0),
        .connections = count > 4 ? atoi(arguments[4]) : 1,
        .seconds = count > 5 ? atof(arguments[5]) : 0.3,
    };
    if (plan.connections < 1 || plan.connections > MOST_CONNECTIONS) fail("too many connections");
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        if (strcmp(job, jobs[i].job) == 0 && strncmp(plan.flavour, jobs[i].prefix, strlen(jobs[i].prefix)) == 0) {
            jobs[i].run(&plan);
            return 0;
        }
    }
    fail("usage: frontier get|threads|download|upload FLAVOUR PORT [CONNECTIONS SECONDS] | calls - PORT | probe | sink | quick");
}
