#ifndef CSOCKEYE_ARES_H
#define CSOCKEYE_ARES_H

#include <stddef.h>

// c-ares without its header: that includes those of sockets, whose declarations would then belong to its module as well as to
// Glibc's, and files that import only one of the two would not see them.

// What differs from the system's files.
struct sockeye_ares_settings {
    const char *path;
    // Name servers as host:port, separated by commas; null for those of the file.
    const char *servers;
    // Null for those of the file.
    const char *const *domains;
    int domain_count;
    int milliseconds;
    int attempts;
};

// The system calls of a channel, each with `context` first. The addresses and vectors are those of the system's calls.
struct sockeye_ares_calls {
    void *context;
    int (*open)(void *context, int domain, int type, int protocol);
    int (*close)(void *context, int socket);
    int (*connect)(void *context, int socket, const void *address, unsigned length);
    long (*receive)(void *context, int socket, void *room, size_t size, void *address, unsigned *length);
    long (*send)(void *context, int socket, const void *vectors, int count);
    // The socket is used from now on.
    void (*use)(void *context, int socket);
};

// How a question is answered: `record` for each address, and without an address for each alias, then `done`, once.
struct sockeye_ares_answer {
    void *context;
    void (*record)(void *context, const void *address, unsigned length, int seconds);
    void (*done)(void *context, int status);
};

// Makes a channel, to be freed by sockeye_ares_free; null with the status of ares.h where there is none. `calls` must outlive it.
void *sockeye_ares_make(const struct sockeye_ares_settings *settings, const struct sockeye_ares_calls *calls, int *status);
void sockeye_ares_free(void *channel);
void sockeye_ares_ask(void *channel, const char *name, int reads_hosts_variable, struct sockeye_ares_answer answer);
void sockeye_ares_process(void *channel, int reading, int writing);
void sockeye_ares_cancel(void *channel);
// In how many milliseconds a question times out, at most `longest`.
int sockeye_ares_timeout(void *channel, int longest);
const char *sockeye_ares_text(int status);

#endif
