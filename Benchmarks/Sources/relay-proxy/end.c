#define _GNU_SOURCE
#include "end.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static SSL_CTX *context;

void end_set_up_tls(const char *chain, const char *key) {
    context = SSL_CTX_new(TLS_server_method());
    if (context == NULL || SSL_CTX_use_certificate_chain_file(context, chain) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
        ERR_print_errors_fp(stderr);
        exit(1);
    }
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
}

void end_open(struct end *end, int fd, bool with_tls, struct tunnel *tunnel) {
    *end = (struct end){.fd = fd, .tunnel = tunnel};
    if (with_tls) {
        end->tls = SSL_new(context);
        if (end->tls == NULL || SSL_set_fd(end->tls, fd) != 1) {
            abort();
        }
        SSL_set_accept_state(end->tls);
    }
}

void end_close(struct end *end) {
    SSL_free(end->tls);
    free(end->unsent);
    if (end->fd >= 0) {
        close(end->fd);
    }
}

ssize_t end_receive(struct end *end, char *bytes, size_t count) {
    if (end->tls == NULL) {
        ssize_t received = recv(end->fd, bytes, count, 0);
        if (received < 0 && (errno == EAGAIN || errno == EINTR)) {
            return end_would_block;
        }
        return received > 0 ? received : end_closed;
    }
    ERR_clear_error();
    size_t received = 0;
    if (SSL_read_ex(end->tls, bytes, count, &received) == 1) {
        return (ssize_t)received;
    }
    return SSL_get_error(end->tls, 0) == SSL_ERROR_WANT_READ ? end_would_block : end_closed;
}

bool end_has_more(const struct end *end) { return end->tls != NULL && SSL_has_pending(end->tls); }

// Sends bytes; returns the number that the socket accepted, 0 if it is full, -1 if it is closed.
static ssize_t send_some(struct end *end, const char *bytes, size_t count) {
    if (end->tls == NULL) {
        ssize_t sent = send(end->fd, bytes, count, MSG_NOSIGNAL);
        return sent >= 0 ? sent : errno == EAGAIN || errno == EINTR ? 0 : -1;
    }
    ERR_clear_error();
    size_t sent = 0;
    if (SSL_write_ex(end->tls, bytes, count, &sent) == 1) {
        return (ssize_t)sent;
    }
    int error = SSL_get_error(end->tls, 0);
    return error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_WANT_READ ? 0 : -1;
}

bool end_send(struct end *end, const char *bytes, size_t count) {
    while (count > 0 && end->unsent_count == 0) {
        ssize_t sent = send_some(end, bytes, count);
        if (sent < 0) {
            return false;
        }
        if (sent == 0) {
            break;
        }
        bytes += sent;
        count -= (size_t)sent;
    }
    if (count > 0) {
        char *kept = realloc(end->unsent, end->unsent_count + count);
        if (kept == NULL) {
            return false;
        }
        memcpy(kept + end->unsent_count, bytes, count);
        end->unsent = kept;
        end->unsent_count += count;
    }
    return true;
}

bool end_flush(struct end *end) {
    char *bytes = end->unsent;
    size_t count = end->unsent_count;
    end->unsent = NULL;
    end->unsent_count = 0;
    bool good = end_send(end, bytes, count);
    free(bytes);
    return good;
}
