// The compared clients, each in its own file. They end the program if anything is not as expected.
#pragma once
#include "wire.h"

// The seconds of warm-up, which are not measured.
#define WARM_UP 0.08

void get_by_epoll(const struct plan *plan);
void get_by_readiness(const struct plan *plan);
void get_by_ring(const struct plan *plan);
void get_by_two_threads(const struct plan *plan);
void download(const struct plan *plan);
void upload(const struct plan *plan);
// Measures the time of system calls that do almost nothing, and prints it.
void measure_calls(const struct plan *plan);
// Servers, which print their port and serve until their standard input ends: one counts the bytes of uploads, the other
// sends the small response.
void serve_uploads(const struct plan *plan);
void serve_quickly(const struct plan *plan);
