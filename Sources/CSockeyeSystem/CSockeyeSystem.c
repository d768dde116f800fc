#define _GNU_SOURCE
#include "CSockeyeSystem.h"

#include <pthread.h>

void sockeye_name_this_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

int sockeye_accept(int listener, int flags) {
    return accept4(listener, NULL, NULL, flags);
}
