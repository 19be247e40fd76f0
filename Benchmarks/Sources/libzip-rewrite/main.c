// Replaces one member of an archive the way libzip's users do: a peer of `inject --in-place`.
//
//     libzip-rewrite ARCHIVE MEMBER FILE

#include <stdio.h>
#include <zip.h>

static int fail(const char *doing, const char *why) {
  fprintf(stderr, "libzip-rewrite: %s: %s\n", doing, why);
  return 1;
}

static int replace(zip_t *archive, const char *member, const char *file) {
  zip_int64_t index = zip_name_locate(archive, member, ZIP_FL_ENC_RAW);
  zip_stat_t old;
  if (index < 0 || zip_stat_index(archive, (zip_uint64_t)index, 0, &old) != 0) {
    return fail(member, zip_strerror(archive));
  }
  zip_source_t *source = zip_source_file(archive, file, 0, -1);
  if (source == NULL) return fail(file, zip_strerror(archive));
  if (zip_file_replace(archive, (zip_uint64_t)index, source, 0) != 0) {
    zip_source_free(source);
    return fail(member, zip_strerror(archive));
  }
  if (zip_set_file_compression(archive, (zip_uint64_t)index, old.comp_method, 0) != 0) {
    return fail(member, zip_strerror(archive));
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count == 2 && arguments[1][0] == '-') return puts(zip_libzip_version()) < 0;
  if (count != 4) return fail("usage", "libzip-rewrite ARCHIVE MEMBER FILE, or --version");
  int number = 0;
  zip_t *archive = zip_open(arguments[1], 0, &number);
  if (archive == NULL) {
    zip_error_t error;
    zip_error_init_with_code(&error, number);
    int status = fail(arguments[1], zip_error_strerror(&error));
    zip_error_fini(&error);
    return status;
  }
  if (replace(archive, arguments[2], arguments[3]) != 0) {
    zip_discard(archive);
    return 1;
  }
  if (zip_close(archive) != 0) {
    int status = fail(arguments[1], zip_strerror(archive));
    zip_discard(archive);
    return status;
  }
  return 0;
}
