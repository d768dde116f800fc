#include "stream.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static SSL_CTX *context;

void stream_set_up_tls(const char *chain, const char *key) {
    context = SSL_CTX_new(TLS_server_method());
    if (context == NULL || SSL_CTX_use_certificate_chain_file(context, chain) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
        ERR_print_errors_fp(stderr);
        exit(1);
    }
    // Reads many records with one system call, so that the server is not the bottleneck.
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, 256 * 1024);
}

struct stream stream_make(int fd, bool with_tls) {
    struct stream stream = {.fd = fd, .tls = NULL};
    if (with_tls) {
        stream.tls = SSL_new(context);
        if (stream.tls == NULL || SSL_set_fd(stream.tls, fd) != 1) {
            abort();
        }
        SSL_set_accept_state(stream.tls);
    }
    return stream;
}

void stream_close(struct stream *stream) {
    SSL_free(stream->tls);
    close(stream->fd);
}

ssize_t stream_receive(struct stream *stream, char *bytes, size_t count) {
    if (stream->tls == NULL) {
        ssize_t received = recv(stream->fd, bytes, count, 0);
        if (received < 0 && (errno == EAGAIN || errno == EINTR)) {
            return stream_would_block;
        }
        return received > 0 ? received : stream_ended;
    }
    ERR_clear_error();
    size_t received = 0;
    if (SSL_read_ex(stream->tls, bytes, count, &received) == 1) {
        return (ssize_t)received;
    }
    // The messages of a handshake are shorter than any send buffer, so it waits only for the peer.
    return SSL_get_error(stream->tls, 0) == SSL_ERROR_WANT_READ ? stream_would_block : stream_ended;
}

bool stream_send(struct stream *stream, const char *text) {
    size_t length = strlen(text);
    if (stream->tls == NULL) {
        return send(stream->fd, text, length, MSG_NOSIGNAL) == (ssize_t)length;
    }
    size_t sent = 0;
    return SSL_write_ex(stream->tls, text, length, &sent) == 1;
}
