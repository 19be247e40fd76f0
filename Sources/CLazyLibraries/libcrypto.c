#ifdef __linux__

#include "lazy_library.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#define TEXT_OF(number) #number
#define NAME_WITH(number) "libcrypto.so." TEXT_OF(number)

static const char *const names[] = {NAME_WITH(OPENSSL_SHLIB_VERSION), NULL};
static struct lazy_library libcrypto = {names, NULL};

LAZY_FUNCTION(libcrypto, const char *, OpenSSL_version, (int type), (type))
LAZY_FUNCTION(libcrypto, const EVP_MD *, EVP_sha256, (void), ())
LAZY_FUNCTION(libcrypto, EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
LAZY_FUNCTION(libcrypto, void, EVP_MD_CTX_free, (EVP_MD_CTX * context), (context))
LAZY_FUNCTION(
    libcrypto, int, EVP_DigestInit_ex, (EVP_MD_CTX * context, const EVP_MD *type, ENGINE *engine),
    (context, type, engine))
LAZY_FUNCTION(
    libcrypto, int, EVP_DigestUpdate, (EVP_MD_CTX * context, const void *data, size_t size),
    (context, data, size))
LAZY_FUNCTION(
    libcrypto, int, EVP_DigestFinal_ex,
    (EVP_MD_CTX * context, unsigned char *digest, unsigned int *size), (context, digest, size))

#endif
