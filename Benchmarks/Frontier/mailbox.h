// A queue from the thread that waits for connections to the thread that uses them, which sleeps (futex) while it is
// empty.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

enum { MAILBOX_SIZE = 4096 };

// An event of a connection: an edge, or bytes in a provided buffer.
struct letter {
    uint32_t connection;
    int32_t count;
    uint32_t buffer;
};

struct mailbox {
    _Atomic uint32_t head, tail, sleeps;
    uint32_t written;
    struct letter letters[MAILBOX_SIZE];
};

// For the waiting thread: write several letters, then deliver them once.
void write_letter(struct mailbox *mailbox, struct letter letter);
void deliver(struct mailbox *mailbox);
// For the other thread: waits for a letter and returns it.
struct letter next_letter(struct mailbox *mailbox);
