#ifndef CSOCKEYE_ARES_H
#define CSOCKEYE_ARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An interface to c-ares without types of ares.h or of the system's headers.

// The settings that override those of the system's resolver configuration.
struct sockeye_ares_settings {
    // The path of the file with the format of resolv.conf(5).
    const char *path;
    // Name servers as host:port, separated by commas; if NULL, those of the file are used.
    const char *servers;
    // The domains to complete short names with, separated by line feeds. If empty, no name is completed; if NULL, those
    // of the file are used.
    const char *domains;
    // The time to wait for a server in the first round; doubled for each further round.
    int32_t milliseconds;
    // The number of rounds through the servers.
    int32_t attempts;
};

// A socket that c-ares requests. The first three members are the arguments of socket(2).
struct sockeye_ares_socket {
    int32_t domain, type, protocol;
    // True for TCP.
    bool is_stream;
    // True if c-ares only connects the socket, to find the local address for a destination.
    bool is_probe;
};

// The system calls of a channel, each with `context` as the first argument. Addresses are a struct sockaddr, vectors an
// array of struct iovec. On failure `open`, `receive` and `send` return the negative error number; `connect` returns 0
// or the positive error number.
struct sockeye_ares_calls {
    void *context;
    int32_t (*open)(void *context, struct sockeye_ares_socket kind);
    void (*close)(void *context, int32_t socket);
    int32_t (*connect)(void *context, int32_t socket, const void *address, uint32_t length);
    ptrdiff_t (*receive)(void *context, int32_t socket, void *room, ptrdiff_t size, void *address, uint32_t *length);
    ptrdiff_t (*send)(void *context, int32_t socket, const void *vectors, int32_t count);
    // Reports that c-ares uses the socket from now on.
    void (*use)(void *context, int32_t socket);
};

// The callbacks of a query: `record` for each address, and without an address for each alias; then `done`, once.
// `seconds` is the TTL of the address or alias. `status` is a status of ares.h, 0 for success.
struct sockeye_ares_answer {
    void *context;
    void (*record)(void *context, const void *address, unsigned length, int seconds);
    void (*done)(void *context, int status);
};

// Creates a channel, to be freed by sockeye_ares_free. Returns NULL on failure, with a status of ares.h. `calls` must
// outlive the channel.
void *sockeye_ares_make(const struct sockeye_ares_settings *settings, const struct sockeye_ares_calls *calls, int *status);
void sockeye_ares_free(void *channel);
// Queries the addresses of a name. `reads_hosts_variable` is 1 if the environment variable CARES_HOSTS names the hosts
// file, otherwise 0.
void sockeye_ares_ask(void *channel, const char *name, int reads_hosts_variable, struct sockeye_ares_answer answer);
// Reads from the socket `reading` and writes to the socket `writing`; -1 stands for no socket. Also handles time-outs.
void sockeye_ares_process(void *channel, int reading, int writing);
// Ends all queries with the status ARES_ECANCELLED.
void sockeye_ares_cancel(void *channel);
// Returns the number of milliseconds until the next query times out, at most `longest` + 1, which is also the result if
// no query is in progress.
int sockeye_ares_timeout(void *channel, int longest);
// The text for a status of ares.h.
const char *sockeye_ares_text(int status);

#endif
