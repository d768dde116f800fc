// Implements zlib's inflate with ISA-L, for loading before zlib (LD_PRELOAD). It shows the gain of another library for
// a whole client without a change of the client. Only for measurements: a dictionary, or any other function of zlib,
// goes to zlib and fails.
#include <isa-l.h>
#include <stdlib.h>
#include <zlib.h>

int inflateInit2_(z_streamp stream, int bits, const char *version, int size) {
    (void)version, (void)size;
    struct inflate_state *state = malloc(sizeof *state);
    if (state == NULL) {
        return Z_MEM_ERROR;
    }
    isal_inflate_init(state);
    state->crc_flag = bits > 15 ? ISAL_GZIP : bits > 0 ? ISAL_ZLIB : ISAL_DEFLATE;
    stream->state = (void *)state;
    stream->total_in = stream->total_out = 0;
    stream->msg = NULL;
    return Z_OK;
}

int inflate(z_streamp stream, int flush) {
    (void)flush;
    struct inflate_state *state = (void *)stream->state;
    state->next_in = stream->next_in;
    state->avail_in = stream->avail_in;
    state->next_out = stream->next_out;
    state->avail_out = stream->avail_out;
    int result = isal_inflate(state);
    unsigned consumed = stream->avail_in - state->avail_in, produced = stream->avail_out - state->avail_out;
    stream->next_in = state->next_in;
    stream->avail_in = state->avail_in;
    stream->total_in += consumed;
    stream->next_out = state->next_out;
    stream->avail_out = state->avail_out;
    stream->total_out += produced;
    if (result < 0) {
        return Z_DATA_ERROR;
    }
    if (state->block_state == ISAL_BLOCK_FINISH) {
        return Z_STREAM_END;
    }
    return consumed > 0 || produced > 0 ? Z_OK : Z_BUF_ERROR;
}

int inflateReset(z_streamp stream) {
    struct inflate_state *state = (void *)stream->state;
    isal_inflate_reset(state);
    stream->total_in = stream->total_out = 0;
    return Z_OK;
}

int inflateEnd(z_streamp stream) {
    free(stream->state);
    stream->state = NULL;
    return Z_OK;
}
