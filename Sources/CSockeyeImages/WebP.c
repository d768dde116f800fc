#include "CSockeyeImages.h"

// Empty without the trait Images, so that building all targets does not require libwebp.
#ifdef SOCKEYE_IMAGES

#include <webp/decode.h>

sockeye_image_result sockeye_image_decode_webp(sockeye_image *image) {
    WebPBitstreamFeatures features;
    VP8StatusCode status = WebPGetFeatures(image->bytes, image->count, &features);
    if (status == VP8_STATUS_NOT_ENOUGH_DATA) return SOCKEYE_IMAGE_TRUNCATED;
    if (status != VP8_STATUS_OK) return SOCKEYE_IMAGE_MALFORMED;
    // The frames of an animation are in chunks that only another library, libwebpdemux, parses.
    if (features.has_animation) return SOCKEYE_IMAGE_UNSUPPORTED;
    if ((uint32_t)features.width != image->width || (uint32_t)features.height != image->height) {
        return SOCKEYE_IMAGE_OTHER_SIZE;
    }
    size_t size = (size_t)image->width * image->height * 4;
    uint8_t *decoded = WebPDecodeRGBAInto(image->bytes, image->count, image->pixels, size, (int)image->width * 4);
    return decoded == NULL ? SOCKEYE_IMAGE_MALFORMED : SOCKEYE_IMAGE_DECODED;
}

#endif
