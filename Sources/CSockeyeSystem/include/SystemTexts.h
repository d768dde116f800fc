// Conversion of character sets to UTF-8 (iconv(3)).
#ifndef SOCKEYE_SYSTEM_TEXTS_H
#define SOCKEYE_SYSTEM_TEXTS_H

#include <stddef.h>
#include <stdint.h>

enum sockeye_conversion {
    // All input was converted.
    sockeye_conversion_done,
    // The output has no room for the next character.
    sockeye_conversion_full,
    // The next bytes are not a valid character.
    sockeye_conversion_invalid,
    // The input ends within a character.
    sockeye_conversion_incomplete,
};

// Opens a converter; NULL if the C library does not know the character set.
void *sockeye_converter_open(const char *name);
void sockeye_converter_close(void *converter);

// Converts some input; `input` and `left` then describe the rest, and `written` is the number of bytes of output. With
// `input` NULL it writes a last character that the converter may have delayed.
enum sockeye_conversion sockeye_converter_step(
    void *converter, const void **input, ptrdiff_t *left, void *room, ptrdiff_t size, ptrdiff_t *written);

#endif
