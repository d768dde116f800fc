// ISA-L's inflate behind opaque pointers: its state is a struct with arrays that Swift does not import.
#ifndef SOCKEYE_CISAL_SHIM_H
#define SOCKEYE_CISAL_SHIM_H

#include <isa-l.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum sockeye_isal_format { sockeye_isal_raw, sockeye_isal_zlib, sockeye_isal_gzip };

// Results of a step besides the library's own errors, which are negative.
enum { sockeye_isal_more = 0, sockeye_isal_ended = 1, sockeye_isal_needs_dictionary = 2, sockeye_isal_reserved_flags = 3, sockeye_isal_header_checksum = 4 };

struct sockeye_isal {
    struct inflate_state state;
    struct isal_gzip_header gzip;
    struct isal_zlib_header zlib;
    enum sockeye_isal_format format;
    // The number of bytes checked so far, of the first four of a gzip header.
    int magic;
    bool is_in_header;
    // The last consumed bytes.
    unsigned char recent[8];
    // The number of bytes in `recent` that lie after the end of the data.
    int unread;
};

static inline void sockeye_isal_restart(void *context) {
    struct sockeye_isal *stream = (struct sockeye_isal *)context;
    isal_inflate_reset(&stream->state);
    // The header is parsed separately, since isal_inflate accepts it only in one piece.
    stream->state.crc_flag = stream->format == sockeye_isal_gzip   ? ISAL_GZIP_NO_HDR_VER
                             : stream->format == sockeye_isal_zlib ? ISAL_ZLIB_NO_HDR_VER
                                                                   : ISAL_DEFLATE;
    isal_gzip_header_init(&stream->gzip);
    stream->zlib = (struct isal_zlib_header){0};
    stream->magic = 0;
    stream->unread = 0;
    stream->is_in_header = stream->format != sockeye_isal_raw;
}

static inline void *sockeye_isal_open(enum sockeye_isal_format format) {
    struct sockeye_isal *stream = (struct sockeye_isal *)malloc(sizeof *stream);
    if (stream != NULL) {
        isal_inflate_init(&stream->state);
        stream->format = format;
        sockeye_isal_restart(stream);
    }
    return stream;
}

static inline void sockeye_isal_close(void *stream) { free(stream); }

// Checks the magic number, the method and the flags as they arrive: the library waits for ten bytes before it checks,
// and accepts reserved flags (RFC 1952 2.3.1).
static inline int sockeye_isal_check_magic(struct sockeye_isal *stream) {
    static const unsigned char known[] = {0x1F, 0x8B, 8};
    struct inflate_state *state = &stream->state;
    unsigned char *next = state->next_in, *end = next + state->avail_in;
    for (; stream->magic < 4 && next < end; next++, stream->magic++) {
        bool is_known = stream->magic == 3 ? (*next & 0xE0) == 0 : *next == known[stream->magic];
        if (!is_known) {
            state->avail_in -= (unsigned)(next + 1 - state->next_in);
            state->next_in = next + 1;
            return stream->magic < 2 ? ISAL_INVALID_WRAPPER
                                     : stream->magic == 2 ? ISAL_UNSUPPORTED_METHOD : sockeye_isal_reserved_flags;
        }
    }
    return sockeye_isal_more;
}

static inline int sockeye_isal_read_header(struct sockeye_isal *stream) {
    struct inflate_state *state = &stream->state;
    if (stream->format == sockeye_isal_gzip) {
        int wrong = sockeye_isal_check_magic(stream);
        if (wrong != sockeye_isal_more) {
            return wrong;
        }
    }
    int result = stream->format == sockeye_isal_gzip ? isal_read_gzip_header(state, &stream->gzip)
                                                     : isal_read_zlib_header(state, &stream->zlib);
    if (result == ISAL_DECOMP_OK) {
        stream->is_in_header = false;
        if (stream->zlib.dict_flag) {
            return sockeye_isal_needs_dictionary;
        }
    }
    if (result == ISAL_INCORRECT_CHECKSUM) {
        return stream->format == sockeye_isal_gzip ? sockeye_isal_header_checksum : ISAL_INVALID_WRAPPER;
    }
    return result < 0 ? result : sockeye_isal_more;
}

// Keeps the last consumed bytes.
static inline void sockeye_isal_remember(struct sockeye_isal *stream, const unsigned char *bytes, size_t count) {
    size_t kept = sizeof stream->recent;
    if (count < kept) {
        memmove(stream->recent, stream->recent + count, kept - count);
        memcpy(stream->recent + kept - count, bytes, count);
    } else {
        memcpy(stream->recent, bytes + count - kept, kept);
    }
}

// Decompresses as much as fits; `given` and `room` become the numbers of bytes consumed and produced.
//
// ISA-L reads up to eight bytes ahead. At the end of the data, versions from 2.32.1 on move `next_in` back over the
// excess bytes, possibly to before the start of this call's input. Older versions only count the excess, in
// `read_in_length`, so this function subtracts it.
static inline int sockeye_isal_step(void *context, const void *input, unsigned *given, void *output, unsigned *room) {
    struct sockeye_isal *stream = (struct sockeye_isal *)context;
    struct inflate_state *state = &stream->state;
    // The prototype lacks the const; the library does not write to its input.
    state->next_in = (uint8_t *)(size_t)input;
    state->avail_in = *given;
    state->next_out = (uint8_t *)output;
    state->avail_out = *room;
    int result = stream->is_in_header ? sockeye_isal_read_header(stream) : sockeye_isal_more;
    if (result == sockeye_isal_more && !stream->is_in_header) {
        result = isal_inflate(state);
        if (result == ISAL_DECOMP_OK && state->block_state == ISAL_BLOCK_FINISH) {
            result = sockeye_isal_ended;
        } else if (result == ISAL_NEED_DICT) {
            result = sockeye_isal_needs_dictionary;
        }
    }
    long long used = (long long)*given - state->avail_in;
    if (result == sockeye_isal_ended) {
        used -= state->read_in_length > 0 ? state->read_in_length / 8 : 0;
    }
    stream->unread = used < -8 ? 8 : used < 0 ? (int)-used : 0;
    *given = used < 0 ? 0 : (unsigned)used;
    *room -= state->avail_out;
    if (used > 0) {
        sockeye_isal_remember(stream, (const unsigned char *)input, (size_t)used);
    }
    return result < 0 || result == sockeye_isal_ended || result >= sockeye_isal_needs_dictionary ? result : sockeye_isal_more;
}

// Returns the number of bytes after the end of the data that earlier calls consumed, and copies them to `bytes`.
static inline int sockeye_isal_unread(const void *context, unsigned char bytes[8]) {
    const struct sockeye_isal *stream = (const struct sockeye_isal *)context;
    memcpy(bytes, stream->recent + sizeof stream->recent - (size_t)stream->unread, (size_t)stream->unread);
    return stream->unread;
}

#endif
