#include "CSockeyeImages.h"

// Empty without the trait Images, so that building all targets does not require libpng.
#ifdef SOCKEYE_IMAGES

#include <stdio.h>
#include <string.h>

#include <png.h>

sockeye_image_result sockeye_image_decode_png(sockeye_image *image) {
    png_image png;
    memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    sockeye_image_result result = SOCKEYE_IMAGE_MALFORMED;
    if (png_image_begin_read_from_memory(&png, image->bytes, image->count)) {
        png.format = PNG_FORMAT_RGBA;
        // Otherwise 16-bit samples without a declared colour space would count as linear, and look too bright.
        png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
        if (png.width != image->width || png.height != image->height) {
            result = SOCKEYE_IMAGE_OTHER_SIZE;
        } else if (png_image_finish_read(&png, NULL, image->pixels, (png_int_32)image->width * 4, NULL)) {
            result = SOCKEYE_IMAGE_DECODED;
        }
    }
    snprintf(image->message, sizeof image->message, "%s", png.message);
    png_image_free(&png);
    return result;
}

#endif
