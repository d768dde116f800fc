// Image decoders over system libraries. The caller allocates memory for the pixels by the size in the file's header. An
// image that turns out to have another size is an error, and nothing is written beyond that memory.
#ifndef SOCKEYE_IMAGES_H
#define SOCKEYE_IMAGES_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    SOCKEYE_IMAGE_DECODED,
    SOCKEYE_IMAGE_MALFORMED,
    SOCKEYE_IMAGE_TRUNCATED,
    SOCKEYE_IMAGE_UNSUPPORTED,
    // The size is not the caller's `width` and `height`; for a GIF, the first frame exceeds that size.
    SOCKEYE_IMAGE_OTHER_SIZE,
    // A JPEG has too many scans, or memory is short.
    SOCKEYE_IMAGE_TOO_COSTLY
} sockeye_image_result;

typedef struct {
    const uint8_t *bytes;
    size_t count;
    uint32_t width;
    uint32_t height;
    // width * height * 4 bytes: red, green, blue, alpha, not premultiplied. Partly written if decoding fails.
    uint8_t *pixels;
    // The library's error message; may be empty.
    char message[200];
} sockeye_image;

sockeye_image_result sockeye_image_decode_png(sockeye_image *image);
sockeye_image_result sockeye_image_decode_jpeg(sockeye_image *image);
sockeye_image_result sockeye_image_decode_webp(sockeye_image *image);
// Decodes the first frame, on a canvas that is transparent elsewhere.
sockeye_image_result sockeye_image_decode_gif(sockeye_image *image);

#endif
