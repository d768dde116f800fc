#include "CGzip.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

// Compresses to blocks that end at a byte boundary and do not refer to earlier data; returns 0 on failure.
static size_t compress_alone(const void *bytes, size_t count, unsigned char *output, size_t capacity) {
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)count, .next_out = output, .avail_out = (uInt)capacity};
    if (deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        return 0;
    }
    bool good = deflate(&stream, Z_FULL_FLUSH) == Z_OK && stream.avail_in == 0 && stream.avail_out > 0;
    deflateEnd(&stream);
    return good ? stream.total_out : 0;
}

static bool write_little_endian(FILE *file, unsigned long value) {
    for (int shift = 0; shift < 32; shift += 8) {
        if (putc((int)(value >> shift & 0xff), file) == EOF) {
            return false;
        }
    }
    return true;
}

// Writes the header, the repetitions, an empty last block, and the checksum and length of the whole (RFC 1952).
static bool write_member(FILE *file, const unsigned char *blocks, size_t length, uLong sum, size_t count, size_t times) {
    static const unsigned char header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3}, last[] = {3, 0};
    bool good = fwrite(header, sizeof header, 1, file) == 1;
    uLong total = crc32(0, NULL, 0);
    for (size_t i = 0; i < times && good; i++) {
        good = fwrite(blocks, length, 1, file) == 1;
        total = crc32_combine(total, sum, (z_off_t)count);
    }
    return good && fwrite(last, sizeof last, 1, file) == 1 && write_little_endian(file, total) &&
           write_little_endian(file, (unsigned long)(count * times));
}

bool bench_gzip(const char *path, const void *bytes, size_t count, size_t repetitions) {
    size_t capacity = compressBound((uLong)count) + 64;
    unsigned char *blocks = malloc(capacity);
    size_t length = blocks == NULL ? 0 : compress_alone(bytes, count, blocks, capacity);
    FILE *file = length == 0 ? NULL : fopen(path, "wbe");
    bool good = file != NULL && write_member(file, blocks, length, crc32(0, bytes, (uInt)count), count, repetitions);
    if (file != NULL) {
        good = fclose(file) == 0 && good;
    }
    free(blocks);
    return good;
}
