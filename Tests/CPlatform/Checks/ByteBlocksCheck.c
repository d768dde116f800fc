// Compares the searches by SIMD with loops over bytes.
#include "ByteBlocks.h"
#include "Check.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7F; }

static int is_unusual(unsigned char byte) {
    return !((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
             byte == '-');
}

static long first(const unsigned char *block, int (*is_hit)(unsigned char)) {
    for (long index = 0; index < 16; index++)
        if (is_hit(block[index])) return index;
    return 16;
}

static int agree(const unsigned char *block) {
    return sockeye_first_control(block) == first(block, is_control) &&
        sockeye_first_unusual_in_names(block) == first(block, is_unusual);
}

// Tries each byte at each position, among bytes that neither search finds, that one finds, and that both find.
static void each_byte_at_each_position(void) {
    static const unsigned char around[] = {'a', 'Z', '0', '-', ' ', 0xFF, 0x80, 0x00, 0x7F};
    for (size_t index = 0; index < sizeof around; index++)
        for (int position = 0; position < 16; position++)
            for (int byte = 0; byte < 256; byte++) {
                unsigned char block[16];
                memset(block, around[index], sizeof block);
                block[position] = (unsigned char)byte;
                EXPECT(agree(block));
            }
}

static void pairs_of_bytes(void) {
    for (int left = 0; left < 256; left++)
        for (int right = 0; right < 256; right++)
            for (int position = 0; position < 15; position += 7) {
                unsigned char block[16];
                memset(block, 'x', sizeof block);
                block[position] = (unsigned char)left;
                block[position + 1] = (unsigned char)right;
                EXPECT(agree(block));
            }
}

// xorshift64*: the same blocks in each run.
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1D;
}

static void random_blocks(void) {
    // Unaligned, and with bytes that both searches pass over in most places.
    static const char common[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    uint64_t state = 38;
    for (int round = 0; round < 200000; round++) {
        unsigned char memory[17];
        uint64_t kind = next_random(&state);
        for (int index = 0; index < 17; index++) {
            uint64_t random = next_random(&state);
            int is_common = kind & 1 && random >> 60 != 0;
            memory[index] = is_common ? (unsigned char)common[(random & 0xFFFF) % 63] : (unsigned char)(random >> 8);
        }
        EXPECT(agree(memory + (kind >> 1 & 1)));
    }
}

static const struct check checks[] = {
    {"each byte at each position", each_byte_at_each_position},
    {"each pair of bytes", pairs_of_bytes},
    {"random blocks", random_blocks},
};

#ifdef __SSE2__
#define NAME "byte blocks, SSE2"
#elif defined(__ARM_NEON)
#define NAME "byte blocks, NEON"
#endif

int main(void) { return CHECK_ALL(NAME, checks); }
