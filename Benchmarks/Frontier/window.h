// The part of a run that counts, and its figures.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// `units` is what is counted: answers or bytes. `completions` are those that were taken from a ring, or events of epoll.
struct window {
    uint64_t units, completions;
    // Added to those of the calling thread when a figure is read.
    const volatile uint64_t *further_calls;
    bool is_open;
    double opens, closes;
    struct figures {
        uint64_t units, completions, calls;
        double time, user, system, server, busy;
    } first;
};

// Opens after `warm_up` seconds and closes `seconds` later.
void prepare_window(struct window *window, double warm_up, double seconds);
void open_window(struct window *window);
// To be asked between two waits: whether the run goes on.
bool window_goes_on(struct window *window);
// Prints the figures since it was opened as a line of JSON.
void print_window(const struct window *window);
