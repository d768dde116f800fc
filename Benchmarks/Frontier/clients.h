// The clients that are compared, each a file of its own. They end the program when anything is not as expected.
#pragma once
#include "wire.h"

// Seconds that do not count.
#define WARM_UP 0.08

void get_by_epoll(const struct plan *plan);
void get_by_readiness(const struct plan *plan);
void get_by_ring(const struct plan *plan);
void get_by_two_threads(const struct plan *plan);
void download(const struct plan *plan);
void upload(const struct plan *plan);
// What a system call takes that does next to nothing; prints a table.
void measure_calls(const struct plan *plan);
// Servers, which print their port and serve until their standard input ends: of uploads, whose bytes are counted, and of the
// small answer.
void serve_uploads(const struct plan *plan);
void serve_quickly(const struct plan *plan);
