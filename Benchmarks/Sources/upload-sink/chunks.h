// A chunked body that is being sent to a client.
#ifndef SOCKEYE_SINK_CHUNKS_H
#define SOCKEYE_SINK_CHUNKS_H

#include <stdbool.h>
#include <sys/types.h>

struct chunks {
    // The bytes that are not sent yet, framing included.
    unsigned long long remaining;
    // The position of the next byte in the run of chunks.
    off_t position;
};

// Makes the run of chunks that all bodies consist of; ends the program on failure.
void chunks_set_up(void);

// Makes a body of a size, rounded up to whole chunks.
struct chunks chunks_make(unsigned long long bytes);

// Sends as many bytes as the socket accepts; returns false if the connection is unusable.
bool chunks_send(struct chunks *chunks, int fd);

#endif
