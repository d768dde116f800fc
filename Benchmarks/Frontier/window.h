// The measured part of a run, and its figures.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// `units` counts responses or bytes. `completions` counts completions of a ring, or events of epoll.
struct window {
    uint64_t units, completions;
    // Calls of another thread, which are added to those of the calling thread.
    const volatile uint64_t *further_calls;
    bool is_open;
    double opens, closes;
    struct figures {
        uint64_t units, completions, calls;
        double time, user, system, server, busy;
    } first;
};

// Prepares a window that opens after `warm_up` seconds and closes `seconds` later.
void prepare_window(struct window *window, double warm_up, double seconds);
void open_window(struct window *window);
// Returns true if the run continues; call it between two waits.
bool window_goes_on(struct window *window);
// Prints the figures since the window was opened, as a line of JSON.
void print_window(const struct window *window);
