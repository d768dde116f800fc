#include "CSockeyeAres.h"

// Empty without the trait AsyncDNS, so that building all targets does not require c-ares.
#ifdef SOCKEYE_ASYNC_DNS

#include <ares.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#define CALLS(pointer) ((const struct sockeye_ares_calls *)(pointer))

// Converts a negative error number to the convention of system calls: -1, with the error number in errno.
static ares_ssize_t returned(ares_ssize_t result) {
    if (result >= 0) return result;
    errno = (int)-result;
    return -1;
}

static ares_socket_t call_open(int domain, int type, int protocol, void *calls) {
    const struct sockeye_ares_socket kind = {domain, type, protocol, type == SOCK_STREAM, protocol == IPPROTO_UDP};
    return (ares_socket_t)returned(CALLS(calls)->open(CALLS(calls)->context, kind));
}

static int call_close(ares_socket_t socket, void *calls) {
    CALLS(calls)->close(CALLS(calls)->context, socket);
    return 0;
}

static int call_connect(ares_socket_t socket, const struct sockaddr *address, ares_socklen_t length, void *calls) {
    return (int)returned(-CALLS(calls)->connect(CALLS(calls)->context, socket, address, length));
}

static ares_ssize_t call_receive(
    ares_socket_t socket, void *room, size_t size, int flags, struct sockaddr *address, ares_socklen_t *length,
    void *calls) {
    (void)flags;
    return returned(CALLS(calls)->receive(CALLS(calls)->context, socket, room, (ptrdiff_t)size, address, length));
}

static ares_ssize_t call_send(ares_socket_t socket, const struct iovec *vectors, int count, void *calls) {
    return returned(CALLS(calls)->send(CALLS(calls)->context, socket, vectors, count));
}

static const struct ares_socket_functions functions = {call_open, call_close, call_connect, call_receive, call_send};

static void state_changed(void *calls, ares_socket_t socket, int reads, int writes) {
    if (reads || writes) CALLS(calls)->use(CALLS(calls)->context, socket);
}

// c-ares is initialised once, by the first thread that makes a channel; `library_status` is the result.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int library_status;

static void set_up_library(void) { library_status = ares_library_init(ARES_LIB_INIT_ALL); }

// Splits `text`, names separated by line feeds, into a new array; NULL if memory is short. The names stay in `text`,
// where NULs replace the line feeds. Empty names are skipped.
static char **split(char *text, int *count) {
    size_t most = 1;
    for (const char *at = text; *at; at++) most += *at == '\n';
    char **names = calloc(most, sizeof *names);
    char *rest = text;
    for (*count = 0; names && rest && *rest;) {
        char *name = strsep(&rest, "\n");
        if (*name) names[(*count)++] = name;
    }
    return names;
}

static int initialize(ares_channel *channel, struct ares_options *options, int mask, const char *domains) {
    if (!domains) return ares_init_options(channel, options, mask);
    char *text = strdup(domains);
    char **names = text ? split(text, &options->ndomains) : NULL;
    options->domains = names;
    // Given an empty list, c-ares 1.24 and newer would complete names with the domain of the host's own name.
    if (names && options->ndomains == 0) options->flags |= ARES_FLAG_NOSEARCH;
    // c-ares copies the names.
    int status = names ? ares_init_options(channel, options, mask | ARES_OPT_DOMAINS) : ARES_ENOMEM;
    free(names);
    free(text);
    return status;
}

#ifdef ARES_OPT_MAXTIMEOUTMS
// Returns the time of the last round in ms, at most a day: that of the first round, doubled for each further round.
static int last_timeout(int milliseconds, int attempts) {
    const int most = 24 * 60 * 60 * 1000;
    while (attempts-- > 1 && milliseconds < most / 2) milliseconds *= 2;
    return milliseconds < most ? milliseconds : most;
}
#endif

// Returns the number of rounds to request from c-ares. Even if c-ares shortens them, they take at least as long as
// `attempts` rounds that start at `milliseconds` and double.
//
// After three answers of a server c-ares 1.32 and newer ignore the requested time of the first round. It then takes
// five times the mean response time of the server, but at least 250 ms. Each further round takes twice as long.
static int rounds(int milliseconds, int attempts) {
    const int first_version = 0x012000, shortest = 250, most_doublings = 22;
    int version, doublings = 0;
    ares_version(&version);
    if (version < first_version) return attempts;
    while (doublings < most_doublings && shortest << doublings < milliseconds) doublings++;
    return attempts + doublings;
}

void *sockeye_ares_make(
    const struct sockeye_ares_settings *settings, const struct sockeye_ares_calls *calls, int *status) {
    struct ares_options options;
    memset(&options, 0, sizeof options);
    // c-ares copies all values and writes to none of them.
    options.flags = ARES_FLAG_NOALIASES;
    options.timeout = settings->milliseconds;
    options.tries = rounds(settings->milliseconds, settings->attempts);
    options.resolvconf_path = (char *)settings->path;
    options.sock_state_cb = state_changed;
    options.sock_state_cb_data = (void *)calls;
    int mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_RESOLVCONF | ARES_OPT_SOCK_STATE_CB;
#ifdef ARES_OPT_QUERY_CACHE
    // A lifetime of 0 switches off the answer cache. By default c-ares 1.31 and newer keep answers for up to an hour.
    options.qcache_max_ttl = 0;
    mask |= ARES_OPT_QUERY_CACHE;
#endif
#ifdef ARES_OPT_MAXTIMEOUTMS
    // Without this option, c-ares 1.32 and newer wait at most 5 s for a server in the first round.
    options.maxtimeout = last_timeout(settings->milliseconds, settings->attempts);
    mask |= ARES_OPT_MAXTIMEOUTMS;
#endif
    ares_channel channel;
    pthread_once(&once, set_up_library);
    *status = library_status;
    if (*status == 0) *status = initialize(&channel, &options, mask, settings->domains);
    if (*status != 0) return NULL;
    ares_set_socket_functions(channel, &functions, (void *)calls);
    if (settings->servers) *status = ares_set_servers_ports_csv(channel, settings->servers);
    if (*status == 0) return channel;
    ares_destroy(channel);
    return NULL;
}

void sockeye_ares_free(void *channel) { ares_destroy(channel); }

static void answered(void *argument, int status, int timeouts, struct ares_addrinfo *list) {
    (void)timeouts;
    struct sockeye_ares_answer answer = *(struct sockeye_ares_answer *)argument;
    free(argument);
    if (status == 0 && list) {
        for (struct ares_addrinfo_node *node = list->nodes; node; node = node->ai_next)
            answer.record(answer.context, node->ai_addr, node->ai_addrlen, node->ai_ttl);
        for (struct ares_addrinfo_cname *alias = list->cnames; alias; alias = alias->next)
            answer.record(answer.context, NULL, 0, alias->ttl);
    }
    answer.done(answer.context, status);
    ares_freeaddrinfo(list);
}

void sockeye_ares_ask(void *channel, const char *name, int reads_hosts_variable, struct sockeye_ares_answer answer) {
    struct sockeye_ares_answer *argument = malloc(sizeof answer);
    if (!argument) {
        answer.done(answer.context, ARES_ENOMEM);
        return;
    }
    *argument = answer;
    struct ares_addrinfo_hints hints = {
        .ai_flags = reads_hosts_variable ? ARES_AI_ENVHOSTS : 0, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    ares_getaddrinfo(channel, name, NULL, &hints, answered, argument);
}

void sockeye_ares_process(void *channel, int reading, int writing) { ares_process_fd(channel, reading, writing); }

void sockeye_ares_cancel(void *channel) { ares_cancel(channel); }

int sockeye_ares_timeout(void *channel, int longest) {
    struct timeval limit = {longest / 1000, longest % 1000 * 1000}, next;
    struct timeval *time = ares_timeout(channel, &limit, &next);
    if (!time || time->tv_sec > INT_MAX / 1000 - 1) return longest;
    // Rounded up, since a wait that ends too early would have to be repeated.
    return (int)(time->tv_sec * 1000 + time->tv_usec / 1000) + 1;
}

const char *sockeye_ares_text(int status) { return ares_strerror(status); }

#endif
