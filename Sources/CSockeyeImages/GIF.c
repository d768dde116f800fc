#include "CSockeyeImages.h"

// Empty without the trait Images, so that building all targets does not require giflib.
#ifdef SOCKEYE_IMAGES

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

typedef struct {
    const uint8_t *bytes;
    size_t count;
    size_t position;
} gif_source;

static int read_bytes(GifFileType *file, GifByteType *output, int count) {
    gif_source *source = file->UserData;
    size_t rest = source->count - source->position;
    size_t taken = (size_t)count < rest ? (size_t)count : rest;
    memcpy(output, source->bytes + source->position, taken);
    source->position += taken;
    return (int)taken;
}

static sockeye_image_result failure(const gif_source *source) {
    return source->position == source->count ? SOCKEYE_IMAGE_TRUNCATED : SOCKEYE_IMAGE_MALFORMED;
}

// Skips an extension, but stores the transparent colour if the extension defines it.
static int read_extension(GifFileType *file, int *transparent) {
    int code;
    GifByteType *data;
    if (DGifGetExtension(file, &code, &data) == GIF_ERROR) return GIF_ERROR;
    while (data != NULL) {
        GraphicsControlBlock control;
        if (code == GRAPHICS_EXT_FUNC_CODE && data[0] == 4 && DGifExtensionToGCB(4, data + 1, &control) == GIF_OK) {
            *transparent = control.TransparentColor;
        }
        if (DGifGetExtensionNext(file, &data) == GIF_ERROR) return GIF_ERROR;
    }
    return GIF_OK;
}

// The transparent colour, and colours missing in the table, leave the canvas unchanged.
static void paint(const GifFileType *file, const GifPixelType *line, uint8_t *output, int transparent) {
    const ColorMapObject *colours = file->Image.ColorMap != NULL ? file->Image.ColorMap : file->SColorMap;
    for (int x = 0; x < file->Image.Width; x++, output += 4) {
        if (line[x] == transparent || colours == NULL || line[x] >= colours->ColorCount) continue;
        GifColorType colour = colours->Colors[line[x]];
        output[0] = colour.Red;
        output[1] = colour.Green;
        output[2] = colour.Blue;
        output[3] = 255;
    }
}

static sockeye_image_result read_frame(GifFileType *file, sockeye_image *image, int transparent) {
    gif_source *source = file->UserData;
    if (DGifGetImageDesc(file) == GIF_ERROR) return failure(source);
    const GifImageDesc *frame = &file->Image;
    if (frame->Left < 0 || frame->Top < 0 || frame->Width <= 0 || frame->Height <= 0 ||
        (uint32_t)frame->Left + (uint32_t)frame->Width > image->width ||
        (uint32_t)frame->Top + (uint32_t)frame->Height > image->height) {
        return SOCKEYE_IMAGE_OTHER_SIZE;
    }
    GifPixelType *line = malloc((size_t)frame->Width);
    if (line == NULL) return SOCKEYE_IMAGE_TOO_COSTLY;
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    int passes = frame->Interlace ? 4 : 1;
    sockeye_image_result result = SOCKEYE_IMAGE_DECODED;
    for (int pass = 0; pass < passes; pass++) {
        int step = frame->Interlace ? steps[pass] : 1;
        for (int y = frame->Interlace ? starts[pass] : 0; y < frame->Height; y += step) {
            if (DGifGetLine(file, line, frame->Width) == GIF_ERROR) {
                result = failure(source);
                goto done;
            }
            size_t offset = ((size_t)(frame->Top + y) * image->width + (size_t)frame->Left) * 4;
            paint(file, line, image->pixels + offset, transparent);
        }
    }
done:
    free(line);
    return result;
}

sockeye_image_result sockeye_image_decode_gif(sockeye_image *image) {
    gif_source source = {image->bytes, image->count, 0};
    int code = 0;
    GifFileType *file = DGifOpen(&source, read_bytes, &code);
    if (file == NULL) return failure(&source);
    memset(image->pixels, 0, (size_t)image->width * image->height * 4);
    int transparent = NO_TRANSPARENT_COLOR;
    sockeye_image_result result = SOCKEYE_IMAGE_MALFORMED;
    for (;;) {
        GifRecordType record;
        if (DGifGetRecordType(file, &record) == GIF_ERROR) {
            result = failure(&source);
            break;
        }
        if (record == IMAGE_DESC_RECORD_TYPE) {
            result = read_frame(file, image, transparent);
            break;
        }
        if (record != EXTENSION_RECORD_TYPE) break;
        if (read_extension(file, &transparent) == GIF_ERROR) {
            result = failure(&source);
            break;
        }
    }
    if (result != SOCKEYE_IMAGE_DECODED && GifErrorString(file->Error) != NULL) {
        snprintf(image->message, sizeof image->message, "%s", GifErrorString(file->Error));
    }
    DGifCloseFile(file, &code);
    return result;
}

#endif
