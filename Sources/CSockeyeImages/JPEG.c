#include "CSockeyeImages.h"

// Empty without the trait Images, so that building all targets does not require libjpeg.
#ifdef SOCKEYE_IMAGES

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

// The most scans of a file. A progressive file of a few hundred kilobytes may have thousands of scans, each of which
// passes over all pixels. Encoders create about ten.
#define MAXIMUM_SCANS 200

typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf failed;
    sockeye_image *image;
    sockeye_image_result result;
} jpeg_failure;

// Leaves libjpeg after an error: its error handlers must not return. All of its memory is in the decompressor's pools,
// which are freed after setjmp returns.
_Noreturn static void leave(j_common_ptr info, sockeye_image_result result) {
    jpeg_failure *failure = (jpeg_failure *)info->err;
    failure->result = result;
    longjmp(failure->failed, 1);
}

// Keeps libjpeg's message.
_Noreturn static void fail(j_common_ptr info, sockeye_image_result result) {
    sockeye_image *image = ((jpeg_failure *)info->err)->image;
    char text[JMSG_LENGTH_MAX] = "";
    (*info->err->format_message)(info, text);
    snprintf(image->message, sizeof image->message, "%s", text);
    leave(info, result);
}

static void on_error(j_common_ptr info) {
    int is_memory = info->err->msg_code == JERR_OUT_OF_MEMORY || info->err->msg_code == JERR_NO_BACKING_STORE;
    fail(info, is_memory ? SOCKEYE_IMAGE_TOO_COSTLY : SOCKEYE_IMAGE_MALFORMED);
}

// Fails on the warnings (level -1) about missing or wrong data, for which libjpeg invents pixels. Ignores all other
// messages.
static void on_message(j_common_ptr info, int level) {
    if (level >= 0) return;
    switch (info->err->msg_code) {
    case JWRN_JPEG_EOF: fail(info, SOCKEYE_IMAGE_TRUNCATED);
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_TOO_MUCH_DATA: fail(info, SOCKEYE_IMAGE_MALFORMED);
    default: return;
    }
}

static void no_output(j_common_ptr info) {}

static void on_progress(j_common_ptr info) {
    if (((j_decompress_ptr)info)->input_scan_number > MAXIMUM_SCANS) leave(info, SOCKEYE_IMAGE_TOO_COSTLY);
}

// Converts in place. Adobe's programs, which create nearly all of these files, store the inks inverted.
static void turn_cmyk_into_rgba(uint8_t *pixels, size_t count, int is_inverted) {
    for (uint8_t *pixel = pixels; pixel < pixels + count * 4; pixel += 4) {
        unsigned black = is_inverted ? pixel[3] : 255u - pixel[3];
        for (int index = 0; index < 3; index++) {
            unsigned ink = is_inverted ? pixel[index] : 255u - pixel[index];
            pixel[index] = (uint8_t)(ink * black / 255);
        }
        pixel[3] = 255;
    }
}

static sockeye_image_result decode(j_decompress_ptr info, sockeye_image *image) {
    jpeg_mem_src(info, image->bytes, image->count);
    jpeg_read_header(info, TRUE);
    if (info->image_width != image->width || info->image_height != image->height) return SOCKEYE_IMAGE_OTHER_SIZE;
    int is_cmyk = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
    info->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(info);
    if (info->output_components != 4) return SOCKEYE_IMAGE_UNSUPPORTED;
    size_t row = (size_t)image->width * 4;
    while (info->output_scanline < info->output_height) {
        JSAMPROW rows[1] = {image->pixels + info->output_scanline * row};
        jpeg_read_scanlines(info, rows, 1);
    }
    jpeg_finish_decompress(info);
    if (is_cmyk) turn_cmyk_into_rgba(image->pixels, (size_t)image->width * image->height, info->saw_Adobe_marker);
    return SOCKEYE_IMAGE_DECODED;
}

// After a longjmp, this function reads no local variable that has changed since setjmp: its value would be
// indeterminate.
static sockeye_image_result decode_guarded(j_decompress_ptr info, jpeg_failure *failure, sockeye_image *image) {
    if (setjmp(failure->failed)) return failure->result;
    jpeg_create_decompress(info);
    struct jpeg_progress_mgr *progress =
        (*info->mem->alloc_small)((j_common_ptr)info, JPOOL_PERMANENT, sizeof *progress);
    memset(progress, 0, sizeof *progress);
    progress->progress_monitor = on_progress;
    info->progress = progress;
    return decode(info, image);
}

sockeye_image_result sockeye_image_decode_jpeg(sockeye_image *image) {
    struct jpeg_decompress_struct info;
    jpeg_failure failure;
    memset(&info, 0, sizeof info);  // so that it can be destroyed even if creating it fails
    info.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = on_error;
    failure.manager.emit_message = on_message;
    failure.manager.output_message = no_output;
    failure.image = image;
    failure.result = SOCKEYE_IMAGE_MALFORMED;
    sockeye_image_result result = decode_guarded(&info, &failure, image);
    jpeg_destroy_decompress(&info);
    return result;
}

#endif
