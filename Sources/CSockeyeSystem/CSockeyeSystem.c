#define _GNU_SOURCE
#include "CSockeyeSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

void sockeye_name_this_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

int sockeye_accept(int listener, int flags) {
    return accept4(listener, NULL, NULL, flags);
}

ssize_t sockeye_receive(int socket, void *buffer, size_t count) {
    return syscall(SYS_recvfrom, socket, buffer, count, 0, NULL, NULL);
}

ssize_t sockeye_peek(int socket, void *buffer, size_t count) {
    return syscall(SYS_recvfrom, socket, buffer, count, MSG_PEEK, NULL, NULL);
}

ssize_t sockeye_send(int socket, const void *buffer, size_t count) {
    return syscall(SYS_sendto, socket, buffer, count, MSG_NOSIGNAL, NULL, 0);
}

int sockeye_rename_exclusively(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return -1;
    }
    return link(from, to) == 0 ? unlink(from) : -1;
}
