#define _GNU_SOURCE
#include "CSockeyeSystem.h"

#include <pthread.h>
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

ssize_t sockeye_send(int socket, const void *buffer, size_t count) {
    return syscall(SYS_sendto, socket, buffer, count, MSG_NOSIGNAL, NULL, 0);
}
