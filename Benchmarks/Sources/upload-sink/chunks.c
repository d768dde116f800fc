#define _GNU_SOURCE
#include "chunks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

// Chunks have 16 KiB, as from servers that send a chunk when a buffer is full.
enum { chunk_size = 16 * 1024, frame_size = 6 + chunk_size + 2, frames_in_run = 256 };
static const char last_chunk[] = "0\r\n\r\n";
enum { last_size = sizeof last_chunk - 1, run_size = frame_size * frames_in_run };

// A file in memory with a run of chunks followed by the last chunk. `sendfile` does not copy it, so that this server is
// as fast as one that sends a file.
static int file = -1;

void chunks_set_up(void) {
    static char frame[frame_size];
    memcpy(frame, "4000\r\n", 6);
    memcpy(frame + frame_size - 2, "\r\n", 2);
    file = memfd_create("chunks", MFD_CLOEXEC);
    for (int i = 0; i < frames_in_run; i++) {
        if (write(file, frame, frame_size) != frame_size) {
            perror("upload-sink");
            exit(1);
        }
    }
    if (write(file, last_chunk, last_size) != last_size) {
        perror("upload-sink");
        exit(1);
    }
}

struct chunks chunks_make(unsigned long long bytes) {
    unsigned long long frames = (bytes + chunk_size - 1) / chunk_size;
    return (struct chunks){.remaining = frames * frame_size + last_size, .position = frames == 0 ? run_size : 0};
}

bool chunks_send(struct chunks *chunks, int fd) {
    while (chunks->remaining > 0) {
        unsigned long long left_in_run = (unsigned long long)(run_size - chunks->position);
        unsigned long long left = chunks->remaining - last_size;
        if (chunks->remaining <= last_size) {
            left_in_run = left = chunks->remaining;
        }
        ssize_t sent = sendfile(fd, file, &chunks->position, left < left_in_run ? left : left_in_run);
        if (sent < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        chunks->remaining -= (unsigned long long)sent;
        if (chunks->remaining == last_size) {
            chunks->position = run_size;
        } else if (chunks->position == run_size) {
            chunks->position = 0;
        }
    }
    return true;
}
