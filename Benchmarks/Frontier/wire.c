#define _GNU_SOURCE
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

_Thread_local uint64_t calls;

const char small_request[] = "GET /small HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: frontier\r\n\r\n";
const size_t small_request_length = sizeof small_request - 1;
static const char small_body[] = "Hello, world!";

void fail(const char *what) {
    fprintf(stderr, "frontier: %s\n", what);
    exit(1);
}

void fail_with(const char *what, int error) {
    fprintf(stderr, "frontier: %s: %s\n", what, strerror(error));
    exit(1);
}

int open_connection(uint16_t port, bool is_blocking) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        (!is_blocking && fcntl(fd, F_SETFL, O_NONBLOCK) != 0)) {
        fail_with("connect", errno);
    }
    return fd;
}

int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, MOST_CONNECTIONS) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        fail_with("listen", errno);
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

int make_epoll(void) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) fail_with("epoll_create1", errno);
    return epoll;
}

void watch(int epoll, int fd, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) fail_with("epoll_ctl", errno);
}

long counted_send(int fd, const void *bytes, size_t count) {
    calls++;
    ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN) fail_with("send", errno);
    return sent;
}

long counted_receive(int fd, void *bytes, size_t count) {
    calls++;
    ssize_t received = recv(fd, bytes, count, MSG_DONTWAIT);
    if (received < 0 && errno != EAGAIN) fail_with("recv", errno);
    if (received == 0) fail("the server has ended a connection");
    return received;
}

int counted_wait(int epoll, struct epoll_event *events, int capacity, int timeout) {
    calls++;
    int count = epoll_wait(epoll, events, capacity, timeout);
    if (count < 0 && errno != EINTR) fail_with("epoll_wait", errno);
    return count < 0 ? 0 : count;
}

void counted_look(int fd) {
    char byte;
    calls++;
    if (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0) fail("an idle connection has unrequested bytes or was closed");
    if (errno != EAGAIN) fail_with("recv", errno);
}

size_t head_length(const char *bytes, size_t count, uint64_t *content_length) {
    static const char status[] = "HTTP/1.1 200 ", field[] = "\r\nContent-Length: ";
    const char *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (end == NULL) return 0;
    size_t length = (size_t)(end - bytes) + 4;
    if (memcmp(bytes, status, sizeof status - 1) != 0) fail("an answer that is not 200");
    const char *value = memmem(bytes, length, field, sizeof field - 1);
    if (value == NULL) fail("an answer without a Content-Length");
    *content_length = 0;
    for (value += sizeof field - 1; *value >= '0' && *value <= '9'; value++) {
        *content_length = *content_length * 10 + (uint64_t)(*value - '0');
    }
    return length;
}

static bool is_complete(const char *bytes, size_t count) {
    uint64_t length;
    size_t head = head_length(bytes, count, &length);
    if (head == 0) return false;
    if (length != sizeof small_body - 1) fail("an answer of another length");
    if (count < head + length) return false;
    if (count > head + length) fail("bytes follow the body");
    if (memcmp(bytes + head, small_body, length) != 0) fail("the body has other bytes than expected");
    return true;
}

bool take_answer(struct answer *answer, const char *bytes, size_t count) {
    if (answer->held == 0 && is_complete(bytes, count)) return true;
    if (count > sizeof answer->bytes - answer->held) fail("an answer that is too long");
    memcpy(answer->bytes + answer->held, bytes, count);
    answer->held += count;
    if (!is_complete(answer->bytes, answer->held)) return false;
    answer->held = 0;
    return true;
}
