#ifndef CSOCKEYE_ARES_H
#define CSOCKEYE_ARES_H

#include <stddef.h>

// The functions of c-ares without its header. That includes socket headers, and their declarations would then belong to
// both its module and Glibc's. Files that import only one of the two would not see them.

// The settings that override the system's files.
struct sockeye_ares_settings {
    const char *path;
    // Name servers as host:port, separated by commas; NULL uses the file's.
    const char *servers;
    // NULL uses the file's.
    const char *const *domains;
    int domain_count;
    int milliseconds;
    int attempts;
};

// The system calls of a channel, each with `context` as the first argument. Addresses and vectors have the system
// calls' types.
struct sockeye_ares_calls {
    void *context;
    int (*open)(void *context, int domain, int type, int protocol);
    int (*close)(void *context, int socket);
    int (*connect)(void *context, int socket, const void *address, unsigned length);
    long (*receive)(void *context, int socket, void *room, size_t size, void *address, unsigned *length);
    long (*send)(void *context, int socket, const void *vectors, int count);
    // Reports that c-ares uses the socket from now on.
    void (*use)(void *context, int socket);
};

// The callbacks of a query: `record` for each address, and without an address for each alias; then `done`, once.
struct sockeye_ares_answer {
    void *context;
    void (*record)(void *context, const void *address, unsigned length, int seconds);
    void (*done)(void *context, int status);
};

// Creates a channel, to be freed by sockeye_ares_free. Returns NULL on failure, with a status of ares.h. `calls` must
// outlive the channel.
void *sockeye_ares_make(const struct sockeye_ares_settings *settings, const struct sockeye_ares_calls *calls, int *status);
void sockeye_ares_free(void *channel);
void sockeye_ares_ask(void *channel, const char *name, int reads_hosts_variable, struct sockeye_ares_answer answer);
void sockeye_ares_process(void *channel, int reading, int writing);
void sockeye_ares_cancel(void *channel);
// The time in ms until the next query times out, at most `longest`.
int sockeye_ares_timeout(void *channel, int longest);
const char *sockeye_ares_text(int status);

#endif
