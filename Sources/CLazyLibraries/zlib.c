#ifdef __linux__

#include "lazy_library.h"

/* The header would give the functions the default visibility. */
#define ZEXTERN
#include <zlib.h>

static const char *const names[] = {"libz.so.1", NULL};
static struct lazy_library zlib = {names, NULL};

LAZY_FUNCTION(
    zlib, int, inflateInit2_, (z_streamp stream, int bits, const char *version, int size),
    (stream, bits, version, size))
LAZY_FUNCTION(zlib, int, inflate, (z_streamp stream, int flush), (stream, flush))
LAZY_FUNCTION(zlib, int, inflateEnd, (z_streamp stream), (stream))
LAZY_FUNCTION(zlib, uLong, adler32, (uLong adler, const Bytef *bytes, uInt size), (adler, bytes, size))
LAZY_FUNCTION(zlib, uLong, crc32, (uLong crc, const Bytef *bytes, uInt size), (crc, bytes, size))

#endif
