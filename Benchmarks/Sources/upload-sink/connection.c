#define _GNU_SOURCE
#include "connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct connection *connection_make(struct stream stream) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        abort();
    }
    connection->stream = stream;
    return connection;
}

static bool answer(struct connection *connection) {
    char body[32], text[128];
    int length = snprintf(body, sizeof body, "%llu", connection->received);
    snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", length, body);
    connection->state = in_head;
    connection->received = 0;
    return stream_send(&connection->stream, text);
}

// Answers a request like "GET /chunked/1073741824" with a body of that size. Only without TLS, because the kernel sends
// the body.
static bool begin_chunks(struct connection *connection, const char *count) {
    connection->state = in_answer;
    connection->answer = chunks_make(strtoull(count, NULL, 10));
    const char *head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    return connection->stream.tls == NULL && stream_send(&connection->stream, head);
}

bool connection_send(struct connection *connection) {
    bool good = chunks_send(&connection->answer, connection->stream.fd);
    if (connection->answer.remaining == 0) {
        connection->state = in_head;
    }
    return good;
}

// Returns the value of a field, or NULL.
static const char *find_field(const char *head, const char *name) {
    const char *field = strcasestr(head, name);
    return field == NULL ? NULL : field + strlen(name) + strspn(field + strlen(name), " \t");
}

static bool end_head(struct connection *connection) {
    const char *head = connection->text;
    static const char chunked[] = "GET /chunked/";
    if (strncmp(head, chunked, sizeof chunked - 1) == 0) {
        return begin_chunks(connection, head + sizeof chunked - 1);
    }
    const char *length = find_field(head, "\r\nContent-Length:");
    const char *coding = find_field(head, "\r\nTransfer-Encoding:");
    if (find_field(head, "\r\nExpect:") != NULL && !stream_send(&connection->stream, "HTTP/1.1 100 Continue\r\n\r\n")) {
        return false;
    }
    if (coding != NULL) {
        connection->state = in_chunk_line;
        return true;
    }
    connection->state = in_sized_body;
    connection->remaining = length == NULL ? 0 : strtoull(length, NULL, 10);
    return connection->remaining > 0 || answer(connection);
}

static bool end_line(struct connection *connection) {
    if (connection->state == in_chunk_line) {
        connection->remaining = strtoull(connection->text, NULL, 16);
        connection->state = connection->remaining == 0 ? in_trailers : in_chunk_data;
    } else if (connection->state == in_chunk_end) {
        connection->state = in_chunk_line;
    } else if (connection->length == 2) {
        return answer(connection);
    }
    return true;
}

// Collects text up to the end of a head or of a line; returns the number of bytes taken, 0 on failure.
static size_t take_text(struct connection *connection, const char *bytes, size_t count) {
    const char *end = connection->state == in_head ? "\r\n\r\n" : "\r\n";
    size_t end_length = strlen(end);
    for (size_t i = 0; i < count; i++) {
        if (connection->length + 1 >= sizeof connection->text) {
            return 0;
        }
        connection->text[connection->length++] = bytes[i];
        size_t length = connection->length;
        if (length >= end_length && memcmp(connection->text + length - end_length, end, end_length) == 0) {
            connection->text[length] = 0;
            bool good = connection->state == in_head ? end_head(connection) : end_line(connection);
            connection->length = 0;
            return good ? i + 1 : 0;
        }
    }
    return count;
}

static bool take_data(struct connection *connection, size_t count) {
    connection->remaining -= count;
    connection->received += count;
    if (connection->remaining > 0) {
        return true;
    }
    if (connection->state == in_sized_body) {
        return answer(connection);
    }
    connection->state = in_chunk_end;
    return true;
}

bool connection_receive(struct connection *connection, const char *bytes, size_t count) {
    while (count > 0) {
        size_t taken;
        if (connection->state == in_sized_body || connection->state == in_chunk_data) {
            taken = connection->remaining < count ? (size_t)connection->remaining : count;
            if (!take_data(connection, taken)) {
                return false;
            }
        } else {
            taken = take_text(connection, bytes, count);
            if (taken == 0) {
                return false;
            }
        }
        bytes += taken;
        count -= taken;
    }
    return true;
}
