#ifdef __linux__

#include "lazy_library.h"

/* The header would give the functions the default visibility. */
#define PNG_IMPEXP
#include <png.h>

static const char *const names[] = {"libpng16.so.16", NULL};
static struct lazy_library libpng = {names, NULL};

LAZY_FUNCTION(
    libpng, int, png_image_begin_read_from_memory,
    (png_imagep image, png_const_voidp memory, size_t size), (image, memory, size))
LAZY_FUNCTION(
    libpng, int, png_image_finish_read,
    (png_imagep image, png_const_colorp background, void *buffer, png_int_32 stride, void *colormap),
    (image, background, buffer, stride, colormap))
LAZY_FUNCTION(
    libpng, int, png_image_write_to_memory,
    (png_imagep image, void *memory, png_alloc_size_t *PNG_RESTRICT size, int convert,
     const void *buffer, png_int_32 stride, const void *colormap),
    (image, memory, size, convert, buffer, stride, colormap))
LAZY_FUNCTION(libpng, void, png_image_free, (png_imagep image), (image))

#endif
