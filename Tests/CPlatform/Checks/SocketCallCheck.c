// Checks the socket calls of the platform, and that no call of the platform raises SIGPIPE.
#include "CSockeyeSystem.h"
#include "Check.h"
#include "Sockets.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_prepared(int descriptor) {
    return fcntl(descriptor, F_GETFL) & O_NONBLOCK && fcntl(descriptor, F_GETFD) & FD_CLOEXEC;
}

// A connection of sockets that the platform has made.
static struct pair connection(int32_t *listener) {
    struct sockeye_address address;
    sockeye_address_set_ipv4(&address, htonl(INADDR_LOOPBACK), 0);
    *listener = sockeye_socket_open(sockeye_family_ipv4);
    EXPECT(sockeye_socket_set(*listener, sockeye_option_reuse_address, 1) == 0);
    EXPECT(sockeye_bind(*listener, address.storage, address.length) == 0);
    EXPECT(sockeye_listen(*listener, 8) == 0);
    EXPECT(sockeye_local_address(*listener, &address));
    int32_t client = sockeye_socket_open(sockeye_family_ipv4);
    int32_t error = sockeye_connect(client, address.storage, address.length);
    EXPECT(error == 0 || error == sockeye_error_in_progress);
    int32_t server = -1;
    while (server < 0) {
        server = sockeye_accept(*listener);
        if (server < 0 && sockeye_last_error() != sockeye_error_would_block) break;
    }
    EXPECT(server >= 0);
    return (struct pair){client, server};
}

static void prepared_sockets(void) {
    int32_t listener;
    struct pair pair = connection(&listener);
    EXPECT(is_prepared(listener) && is_prepared(pair.ours) && is_prepared(pair.theirs));
    EXPECT(sockeye_accept(listener) < 0 && sockeye_last_error() == sockeye_error_would_block);
    EXPECT(sockeye_is_socket(pair.ours) && !sockeye_is_socket(STDIN_FILENO + 999));
    int32_t protocol = sockeye_socket_protocol(pair.ours);
    EXPECT(protocol == (sockeye_supports(sockeye_feature_socket_protocol) ? IPPROTO_TCP : -1));
    close_pair(pair);
    close(listener);
}

static void transfers(void) {
    int32_t listener;
    struct pair pair = connection(&listener);
    struct sockeye_vector vectors[] = {{"ab", 2}, {"cd", 2}};
    char room[8] = {0};
    EXPECT(sockeye_send(pair.ours, "x", 1) == 1);
    EXPECT(sockeye_send_vectors(pair.ours, vectors, 2) == 4);
    while (sockeye_peek(pair.theirs, room, 8) < 5) {}
    EXPECT(sockeye_receive(pair.theirs, room, 8) == 5 && memcmp(room, "xabcd", 5) == 0);
    EXPECT(sockeye_receive(pair.theirs, room, 8) < 0 && sockeye_last_error() == sockeye_error_would_block);
    EXPECT(sockeye_shutdown(pair.ours, true) == 0);
    while (sockeye_receive(pair.theirs, room, 8) < 0) {}
    EXPECT(sockeye_receive(pair.theirs, room, 8) == 0);
    close_pair(pair);
    close(listener);
}

static void options(void) {
    int32_t socket = sockeye_socket_open(sockeye_family_ipv4), value = 0;
    EXPECT(sockeye_socket_set(socket, sockeye_option_no_delay, 1) == 0);
    EXPECT(sockeye_socket_get(socket, sockeye_option_no_delay, &value) == 0 && value != 0);
    EXPECT(sockeye_socket_set(socket, sockeye_option_keep_alive, 1) == 0);
    EXPECT(sockeye_socket_set(socket, sockeye_option_keep_alive_idle, 77) == 0);
    EXPECT(sockeye_socket_get(socket, sockeye_option_keep_alive_idle, &value) == 0 && value == 77);
    EXPECT(sockeye_socket_set(socket, sockeye_option_keep_alive_interval, 7) == 0);
    EXPECT(sockeye_socket_set(socket, sockeye_option_keep_alive_count, 3) == 0);
    int32_t error = sockeye_socket_set(socket, sockeye_option_user_timeout, 30000);
    EXPECT(error == (sockeye_supports(sockeye_feature_user_timeout) ? 0 : sockeye_error_not_supported));
    close(socket);
}

static void addresses(void) {
    struct sockeye_address address;
    struct sockeye_endpoint endpoint;
    sockeye_address_set_ipv4(&address, htonl(0x7F000001), 80);
    EXPECT(sockeye_address_read(address.storage, address.length, &endpoint));
    EXPECT(endpoint.family == sockeye_family_ipv4 && endpoint.bits == htonl(0x7F000001) && endpoint.port == 80);
    sockeye_address_set_ipv6(&address, 1, 2, 443, 5);
    EXPECT(sockeye_address_read(address.storage, address.length, &endpoint));
    EXPECT(endpoint.family == sockeye_family_ipv6 && endpoint.high == 1 && endpoint.low == 2);
    EXPECT(endpoint.port == 443 && endpoint.scope == 5);
    sockeye_address_set_unix(&address, "/tmp/x", 6);
    EXPECT(sockeye_address_read(address.storage, address.length, &endpoint));
    EXPECT(endpoint.family == sockeye_family_unix && endpoint.path_length == 6);
    EXPECT(memcmp(endpoint.path, "/tmp/x", 6) == 0);
    EXPECT(!sockeye_address_read(address.storage, 1, &endpoint));
}

// MARK: SIGPIPE, which would end this program

static void writes_to_a_closed_socket(void) {
    struct sockeye_vector vector = {"abc", 3};
    for (int call = 0; call < 3; call++) {
        int32_t listener;
        struct pair pair = connection(&listener);
        reset(pair.theirs);
        ptrdiff_t sent = 0;
        for (int round = 0; round < 1000 && sent >= 0; round++) {
            if (call == 0) sent = sockeye_send(pair.ours, "abc", 3);
            if (call == 1) sent = sockeye_send_vectors(pair.ours, &vector, 1);
            if (call == 2) sent = sockeye_send_now(pair.ours, "abc", 3);
        }
        EXPECT(sent < 0);
        // The first call may report the reset, and the second the end.
        EXPECT(sockeye_send(pair.ours, "abc", 3) < 0);
        EXPECT(sockeye_last_error() == sockeye_error_broken_pipe);
        close(pair.ours);
        close(listener);
    }
}

static void file_to_a_closed_socket(void) {
    if (!sockeye_supports(sockeye_feature_send_file)) return;
    int32_t listener;
    struct pair pair = connection(&listener);
    char path[] = "/tmp/sockeye-check-XXXXXX", room[8];
    int file = mkstemp(path);
    unlink(path);
    write(file, "abcdef", 6);
    EXPECT(sockeye_send_file(pair.ours, file, 2, 3) == 3);
    while (sockeye_peek(pair.theirs, room, 8) < 3) {}
    EXPECT(sockeye_receive(pair.theirs, room, 8) == 3 && memcmp(room, "cde", 3) == 0);
    // Past the end of the file.
    EXPECT(sockeye_send_file(pair.ours, file, 6, 3) == 0);
    reset(pair.theirs);
    ptrdiff_t sent = 0;
    for (int round = 0; round < 1000 && sent != -sockeye_error_broken_pipe; round++)
        sent = sockeye_send_file(pair.ours, file, 0, 6);
    EXPECT(sent == -sockeye_error_broken_pipe);
    close(file);
    close(pair.ours);
    close(listener);
}

static void write_to_a_closed_pipe(void) {
    int ends[2];
    EXPECT(pipe(ends) == 0);
    EXPECT(sockeye_file_write(ends[1], "abc", 3) == 3);
    close(ends[0]);
    EXPECT(sockeye_file_write(ends[1], "abc", 3) == -sockeye_error_broken_pipe);
    close(ends[1]);
}

static void send_without_waiting(void) {
    struct pair pair = socket_pair();
    // A blocking socket, such as one of another owner.
    fcntl(pair.ours, F_SETFL, fcntl(pair.ours, F_GETFL) & ~O_NONBLOCK);
    static char block[65536];
    ptrdiff_t sent = 1;
    for (int round = 0; round < 10000 && sent > 0; round++) sent = sockeye_send_now(pair.ours, block, sizeof block);
    EXPECT(sent == -sockeye_error_would_block);
    close_pair(pair);
}

static const struct check checks[] = {
    {"sockets are non-blocking and close-on-exec", prepared_sockets},
    {"bytes and ends arrive", transfers},
    {"options are set, or refused as not supported", options},
    {"addresses are read as they were set", addresses},
    {"writes to a closed socket fail without a signal", writes_to_a_closed_socket},
    {"a file sent to a closed socket fails without a signal", file_to_a_closed_socket},
    {"a write to a closed pipe fails without a signal", write_to_a_closed_pipe},
    {"a send to a full blocking socket does not wait", send_without_waiting},
};

int main(void) { return CHECK_ALL("sockets", checks); }
