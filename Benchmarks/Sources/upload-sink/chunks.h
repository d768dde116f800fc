// A chunked body on its way to a client.
#ifndef SOCKEYE_SINK_CHUNKS_H
#define SOCKEYE_SINK_CHUNKS_H

#include <stdbool.h>
#include <sys/types.h>

struct chunks {
    // What is still to be sent, framing included.
    unsigned long long remaining;
    // Where in the run of chunks the next byte is.
    off_t position;
};

// Makes the run of chunks that all bodies consist of; ends the program if it cannot.
void chunks_set_up(void);

// A body of so many bytes, rounded up to whole chunks.
struct chunks chunks_make(unsigned long long bytes);

// Sends what the socket takes; false if the connection is of no more use.
bool chunks_send(struct chunks *chunks, int fd);

#endif
