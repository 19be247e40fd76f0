#ifdef __linux__

#include "lazy_library.h"

/* The header would give the functions the default visibility. */
#define ZIP_EXTERN
#include <zip.h>

/* Debian and Ubuntu kept the older name up to 1.7. */
static const char *const names[] = {"libzip.so.5", "libzip.so.4", NULL};
static struct lazy_library libzip = {names, NULL};

#define ZIP_FUNCTION(result, name, parameters, arguments)                                          \
  LAZY_FUNCTION(libzip, result, name, parameters, arguments)

ZIP_FUNCTION(const char *, zip_libzip_version, (void), ())

/* Archives. */
ZIP_FUNCTION(
    zip_t *, zip_open_from_source, (zip_source_t * source, int flags, zip_error_t *error),
    (source, flags, error))
ZIP_FUNCTION(int, zip_close, (zip_t * archive), (archive))
ZIP_FUNCTION(void, zip_discard, (zip_t * archive), (archive))
ZIP_FUNCTION(
    zip_int64_t, zip_dir_add, (zip_t * archive, const char *name, zip_flags_t flags),
    (archive, name, flags))
ZIP_FUNCTION(
    zip_int64_t, zip_file_add,
    (zip_t * archive, const char *name, zip_source_t *source, zip_flags_t flags),
    (archive, name, source, flags))
ZIP_FUNCTION(
    int, zip_file_set_external_attributes,
    (zip_t * archive, zip_uint64_t index, zip_flags_t flags, zip_uint8_t system,
     zip_uint32_t attributes),
    (archive, index, flags, system, attributes))
ZIP_FUNCTION(
    int, zip_file_set_mtime, (zip_t * archive, zip_uint64_t index, time_t time, zip_flags_t flags),
    (archive, index, time, flags))
ZIP_FUNCTION(
    int, zip_file_set_dostime,
    (zip_t * archive, zip_uint64_t index, zip_uint16_t time, zip_uint16_t date, zip_flags_t flags),
    (archive, index, time, date, flags))
ZIP_FUNCTION(
    int, zip_file_extra_field_set,
    (zip_t * archive, zip_uint64_t index, zip_uint16_t identifier, zip_uint16_t number,
     const zip_uint8_t *data, zip_uint16_t length, zip_flags_t flags),
    (archive, index, identifier, number, data, length, flags))
ZIP_FUNCTION(
    int, zip_set_file_compression,
    (zip_t * archive, zip_uint64_t index, zip_int32_t method, zip_uint32_t level),
    (archive, index, method, level))

/* Members. */
ZIP_FUNCTION(
    zip_file_t *, zip_fopen_index, (zip_t * archive, zip_uint64_t index, zip_flags_t flags),
    (archive, index, flags))
ZIP_FUNCTION(
    zip_int64_t, zip_fread, (zip_file_t * file, void *buffer, zip_uint64_t size),
    (file, buffer, size))
ZIP_FUNCTION(int, zip_fclose, (zip_file_t * file), (file))

/* Errors. */
ZIP_FUNCTION(zip_error_t *, zip_get_error, (zip_t * archive), (archive))
ZIP_FUNCTION(zip_error_t *, zip_file_get_error, (zip_file_t * file), (file))
ZIP_FUNCTION(int, zip_error_code_zip, (const zip_error_t *error), (error))
ZIP_FUNCTION(const char *, zip_error_strerror, (zip_error_t * error), (error))
ZIP_FUNCTION(void, zip_error_init, (zip_error_t * error), (error))
ZIP_FUNCTION(void, zip_error_fini, (zip_error_t * error), (error))

/* Sources. */
ZIP_FUNCTION(
    zip_source_t *, zip_source_buffer,
    (zip_t * archive, const void *data, zip_uint64_t size, int isOwned),
    (archive, data, size, isOwned))
ZIP_FUNCTION(
    zip_source_t *, zip_source_buffer_create,
    (const void *data, zip_uint64_t size, int isOwned, zip_error_t *error),
    (data, size, isOwned, error))
ZIP_FUNCTION(
    zip_source_t *, zip_source_function_create,
    (zip_source_callback callback, void *state, zip_error_t *error), (callback, state, error))
ZIP_FUNCTION(int, zip_source_open, (zip_source_t * source), (source))
ZIP_FUNCTION(
    zip_int64_t, zip_source_read, (zip_source_t * source, void *buffer, zip_uint64_t size),
    (source, buffer, size))
ZIP_FUNCTION(int, zip_source_close, (zip_source_t * source), (source))
ZIP_FUNCTION(
    int, zip_source_stat, (zip_source_t * source, zip_stat_t *status), (source, status))
ZIP_FUNCTION(
    zip_int64_t, zip_source_seek_compute_offset,
    (zip_uint64_t offset, zip_uint64_t size, void *data, zip_uint64_t dataSize,
     zip_error_t *error),
    (offset, size, data, dataSize, error))
ZIP_FUNCTION(void, zip_source_keep, (zip_source_t * source), (source))
ZIP_FUNCTION(void, zip_source_free, (zip_source_t * source), (source))
ZIP_FUNCTION(void, zip_stat_init, (zip_stat_t * status), (status))

#endif
