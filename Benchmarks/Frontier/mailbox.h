// A queue from the thread that waits for connections to the one that works with them, which sleeps (futex) when it is empty.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

enum { MAILBOX_SIZE = 4096 };

// What came on a connection: an edge, or bytes in a provided buffer.
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

// By the one thread: several letters, and then one delivery.
void write_letter(struct mailbox *mailbox, struct letter letter);
void deliver(struct mailbox *mailbox);
// By the other: waits until there is a letter.
struct letter next_letter(struct mailbox *mailbox);
