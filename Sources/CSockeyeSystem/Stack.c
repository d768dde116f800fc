#define _GNU_SOURCE
#include "CSockeyeSystem.h"

#include <pthread.h>

size_t sockeye_stack_left(void) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    void *lowest = NULL;
    size_t size = 0;
    int failure = pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    // The frame's address and not a variable's: sanitizers store variables elsewhere.
    const char *here = __builtin_frame_address(0);
    if (failure != 0 || here <= (const char *)lowest || (size_t)(here - (const char *)lowest) > size) return 0;
    return (size_t)(here - (const char *)lowest);
}
