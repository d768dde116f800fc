#define _GNU_SOURCE
#include "mailbox.h"

#include "wire.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void futex(_Atomic uint32_t *word, int operation, uint32_t value) {
    calls++;
    long result = syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
    if (result < 0 && errno != EAGAIN && errno != EINTR) fail_with("futex", errno);
}

void write_letter(struct mailbox *mailbox, struct letter letter) {
    if (mailbox->written - atomic_load(&mailbox->head) == MAILBOX_SIZE) fail("a mailbox is full");
    mailbox->letters[mailbox->written++ % MAILBOX_SIZE] = letter;
}

void deliver(struct mailbox *mailbox) {
    if (atomic_load(&mailbox->tail) == mailbox->written) return;
    atomic_store(&mailbox->tail, mailbox->written);
    if (atomic_exchange(&mailbox->sleeps, 0) == 1) futex(&mailbox->sleeps, FUTEX_WAKE, 1);
}

struct letter next_letter(struct mailbox *mailbox) {
    uint32_t head = atomic_load(&mailbox->head);
    while (atomic_load(&mailbox->tail) == head) {
        atomic_store(&mailbox->sleeps, 1);
        if (atomic_load(&mailbox->tail) == head) futex(&mailbox->sleeps, FUTEX_WAIT, 1);
        atomic_store(&mailbox->sleeps, 0);
    }
    struct letter letter = mailbox->letters[head % MAILBOX_SIZE];
    atomic_store(&mailbox->head, head + 1);
    return letter;
}
