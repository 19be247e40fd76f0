#ifdef __linux__

#include "lazy_library.h"

#include <openssl/asn1.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>

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

LAZY_FUNCTION(libcrypto, void, ASN1_OBJECT_free, (ASN1_OBJECT *object), (object))
LAZY_FUNCTION(
    libcrypto, const unsigned char *, ASN1_STRING_get0_data, (const ASN1_STRING *object), (object))
LAZY_FUNCTION(libcrypto, int, ASN1_STRING_length, (const ASN1_STRING *object), (object))
LAZY_FUNCTION(
    libcrypto, int, ASN1_STRING_to_UTF8, (unsigned char **out, const ASN1_STRING *in), (out, in))
LAZY_FUNCTION(
    libcrypto, int, ASN1_TIME_diff,
    (int *days, int *seconds, const ASN1_TIME *from, const ASN1_TIME *to),
    (days, seconds, from, to))
LAZY_FUNCTION(libcrypto, void, ASN1_TIME_free, (ASN1_TIME *object), (object))
LAZY_FUNCTION(libcrypto, ASN1_TIME *, ASN1_TIME_new, (void), ())
LAZY_FUNCTION(
    libcrypto, int, ASN1_TIME_set_string, (ASN1_TIME *time, const char *text), (time, text))
LAZY_FUNCTION(
    libcrypto, int, ASN1_get_object,
    (const unsigned char **from, long *length, int *tag, int *tag_class, long rest),
    (from, length, tag, tag_class, rest))
LAZY_FUNCTION(
    libcrypto, long, BIO_ctrl, (BIO *bio, int command, long number, void *pointer),
    (bio, command, number, pointer))
LAZY_FUNCTION(libcrypto, const BIO_METHOD *, BIO_f_md, (void), ())
LAZY_FUNCTION(libcrypto, void, BIO_free_all, (BIO *object), (object))
LAZY_FUNCTION(libcrypto, BIO *, BIO_new, (const BIO_METHOD *method), (method))
LAZY_FUNCTION(libcrypto, BIO *, BIO_push, (BIO *bio, BIO *next), (bio, next))
LAZY_FUNCTION(libcrypto, const BIO_METHOD *, BIO_s_null, (void), ())
LAZY_FUNCTION(
    libcrypto, int, BIO_write_ex, (BIO *bio, const void *data, size_t size, size_t *written),
    (bio, data, size, written))
LAZY_FUNCTION(libcrypto, void, CMS_ContentInfo_free, (CMS_ContentInfo *object), (object))
LAZY_FUNCTION(
    libcrypto, int, CMS_SignerInfo_cert_cmp, (CMS_SignerInfo *signer, X509 *certificate),
    (signer, certificate))
LAZY_FUNCTION(
    libcrypto, void, CMS_SignerInfo_get0_algs,
    (CMS_SignerInfo *signer, EVP_PKEY **key, X509 **certificate, X509_ALGOR **digest,
     X509_ALGOR **signature),
    (signer, key, certificate, digest, signature))
LAZY_FUNCTION(
    libcrypto, void, CMS_SignerInfo_set1_signer_cert, (CMS_SignerInfo *signer, X509 *certificate),
    (signer, certificate))
LAZY_FUNCTION(libcrypto, int, CMS_SignerInfo_verify, (CMS_SignerInfo *signer), (signer))
LAZY_FUNCTION(
    libcrypto, int, CMS_SignerInfo_verify_content, (CMS_SignerInfo *signer, BIO *chain),
    (signer, chain))
LAZY_FUNCTION(
    libcrypto, STACK_OF(CMS_SignerInfo) *, CMS_get0_SignerInfos, (CMS_ContentInfo *message),
    (message))
LAZY_FUNCTION(
    libcrypto, ASN1_OCTET_STRING **, CMS_get0_content, (CMS_ContentInfo *message), (message))
LAZY_FUNCTION(
    libcrypto, const ASN1_OBJECT *, CMS_get0_type, (const CMS_ContentInfo *message), (message))
LAZY_FUNCTION(libcrypto, STACK_OF(X509) *, CMS_get1_certs, (CMS_ContentInfo *message), (message))
LAZY_FUNCTION(
    libcrypto, void *, CMS_signed_get0_data_by_OBJ,
    (const CMS_SignerInfo *signer, const ASN1_OBJECT *object, int after, int type),
    (signer, object, after, type))
LAZY_FUNCTION(
    libcrypto, X509_ATTRIBUTE *, CMS_signed_get_attr, (const CMS_SignerInfo *signer, int index),
    (signer, index))
LAZY_FUNCTION(
    libcrypto, int, CMS_signed_get_attr_by_OBJ,
    (const CMS_SignerInfo *signer, const ASN1_OBJECT *type, int after),
    (signer, type, after))
LAZY_FUNCTION(libcrypto, int, CMS_signed_get_attr_count, (const CMS_SignerInfo *signer), (signer))
LAZY_FUNCTION(
    libcrypto, void, CRYPTO_free, (void *pointer, const char *file, int line),
    (pointer, file, line))
LAZY_FUNCTION(libcrypto, void, ERR_clear_error, (void), ())
LAZY_FUNCTION(libcrypto, unsigned long, ERR_peek_last_error, (void), ())
LAZY_FUNCTION(libcrypto, const char *, ERR_reason_error_string, (unsigned long error), (error))
LAZY_FUNCTION(libcrypto, const EVP_MD *, EVP_get_digestbyname, (const char *name), (name))
LAZY_FUNCTION(libcrypto, const EVP_MD *, EVP_sha1, (void), ())
LAZY_FUNCTION(libcrypto, const EVP_MD *, EVP_sha384, (void), ())
LAZY_FUNCTION(libcrypto, const char *, OBJ_nid2ln, (int number), (number))
LAZY_FUNCTION(libcrypto, ASN1_OBJECT *, OBJ_nid2obj, (int number), (number))
LAZY_FUNCTION(libcrypto, const char *, OBJ_nid2sn, (int number), (number))
LAZY_FUNCTION(libcrypto, int, OBJ_obj2nid, (const ASN1_OBJECT *object), (object))
LAZY_FUNCTION(
    libcrypto, int, OBJ_obj2txt, (char *text, int size, const ASN1_OBJECT *object, int dotted),
    (text, size, object, dotted))
LAZY_FUNCTION(libcrypto, ASN1_OBJECT *, OBJ_txt2obj, (const char *text, int dotted), (text, dotted))
LAZY_FUNCTION(libcrypto, OPENSSL_STACK *, OPENSSL_sk_new_null, (void), ())
LAZY_FUNCTION(libcrypto, int, OPENSSL_sk_num, (const OPENSSL_STACK *stack), (stack))
LAZY_FUNCTION(
    libcrypto, void, OPENSSL_sk_pop_free, (OPENSSL_STACK *stack, void (*free)(void *)),
    (stack, free))
LAZY_FUNCTION(
    libcrypto, void *, OPENSSL_sk_value, (const OPENSSL_STACK *stack, int index), (stack, index))
LAZY_FUNCTION(
    libcrypto, void, X509_ALGOR_get0,
    (const ASN1_OBJECT **type, int *value_type, const void **value, const X509_ALGOR *algorithm),
    (type, value_type, value, algorithm))
LAZY_FUNCTION(libcrypto, int, X509_ATTRIBUTE_count, (const X509_ATTRIBUTE *attribute), (attribute))
LAZY_FUNCTION(
    libcrypto, void *, X509_ATTRIBUTE_get0_data,
    (X509_ATTRIBUTE *attribute, int index, int type, void *data),
    (attribute, index, type, data))
LAZY_FUNCTION(
    libcrypto, ASN1_STRING *, X509_NAME_ENTRY_get_data, (const X509_NAME_ENTRY *entry), (entry))
LAZY_FUNCTION(
    libcrypto, ASN1_OBJECT *, X509_NAME_ENTRY_get_object, (const X509_NAME_ENTRY *entry), (entry))
LAZY_FUNCTION(libcrypto, int, X509_NAME_entry_count, (const X509_NAME *name), (name))
LAZY_FUNCTION(
    libcrypto, X509_NAME_ENTRY *, X509_NAME_get_entry, (const X509_NAME *name, int index),
    (name, index))
LAZY_FUNCTION(libcrypto, void, X509_free, (X509 *object), (object))
LAZY_FUNCTION(libcrypto, const ASN1_TIME *, X509_get0_notAfter, (const X509 *object), (object))
LAZY_FUNCTION(libcrypto, const ASN1_TIME *, X509_get0_notBefore, (const X509 *object), (object))
LAZY_FUNCTION(libcrypto, EVP_PKEY *, X509_get0_pubkey, (const X509 *object), (object))
LAZY_FUNCTION(
    libcrypto, const ASN1_INTEGER *, X509_get0_serialNumber, (const X509 *object), (object))
LAZY_FUNCTION(libcrypto, X509_NAME *, X509_get_issuer_name, (const X509 *object), (object))
LAZY_FUNCTION(libcrypto, int, X509_get_signature_nid, (const X509 *object), (object))
LAZY_FUNCTION(libcrypto, X509_NAME *, X509_get_subject_name, (const X509 *object), (object))
LAZY_FUNCTION(libcrypto, int, X509_verify, (X509 *certificate, EVP_PKEY *key), (certificate, key))
LAZY_FUNCTION(
    libcrypto, ASN1_OBJECT *, d2i_ASN1_OBJECT,
    (ASN1_OBJECT **object, const unsigned char **in, long size),
    (object, in, size))
LAZY_FUNCTION(
    libcrypto, CMS_ContentInfo *, d2i_CMS_ContentInfo,
    (CMS_ContentInfo **object, const unsigned char **in, long size),
    (object, in, size))
LAZY_FUNCTION(
    libcrypto, X509 *, d2i_X509, (X509 **object, const unsigned char **in, long size),
    (object, in, size))
LAZY_FUNCTION(libcrypto, int, i2d_X509, (const X509 *object, unsigned char **out), (object, out))
LAZY_FUNCTION(libcrypto, int, BIO_free, (BIO *bio), (bio))
LAZY_FUNCTION(libcrypto, BIO *, BIO_new_mem_buf, (const void *bytes, int size), (bytes, size))
LAZY_FUNCTION(libcrypto, int, BIO_read, (BIO * bio, void *bytes, int size), (bio, bytes, size))
LAZY_FUNCTION(libcrypto, const BIO_METHOD *, BIO_s_mem, (void), ())
LAZY_FUNCTION(libcrypto, void, EVP_PKEY_free, (EVP_PKEY * key), (key))
LAZY_FUNCTION(libcrypto, void, OPENSSL_sk_free, (OPENSSL_STACK * stack), (stack))
LAZY_FUNCTION(
    libcrypto, int, OPENSSL_sk_push,
    (OPENSSL_STACK * stack, const void *item),
    (stack, item))
LAZY_FUNCTION(
    libcrypto, OSSL_PROVIDER *, OSSL_PROVIDER_load,
    (OSSL_LIB_CTX * context, const char *name),
    (context, name))
LAZY_FUNCTION(
    libcrypto, EVP_PKEY *, PEM_read_bio_PrivateKey,
    (BIO * bio, EVP_PKEY **key, pem_password_cb *callback, void *user),
    (bio, key, callback, user))
LAZY_FUNCTION(
    libcrypto, X509 *, PEM_read_bio_X509,
    (BIO * bio, X509 **certificate, pem_password_cb *callback, void *user),
    (bio, certificate, callback, user))
LAZY_FUNCTION(
    libcrypto, int, PEM_write_bio_PKCS8PrivateKey,
    (BIO * bio, const EVP_PKEY *key, const EVP_CIPHER *cipher, const char *text, int size, pem_password_cb *callback, void *user),
    (bio, key, cipher, text, size, callback, user))
LAZY_FUNCTION(
    libcrypto, int, PEM_write_bio_X509,
    (BIO * bio, const X509 *certificate),
    (bio, certificate))
LAZY_FUNCTION(
    libcrypto, PKCS12 *, PKCS12_create,
    (const char *password, const char *name, EVP_PKEY *key, X509 *certificate, STACK_OF(X509) * others, int key_nid, int certificate_nid, int iterations, int mac_iterations, int key_type),
    (password, name, key, certificate, others, key_nid, certificate_nid, iterations, mac_iterations, key_type))
LAZY_FUNCTION(libcrypto, void, PKCS12_free, (PKCS12 * file), (file))
LAZY_FUNCTION(libcrypto, int, PKCS12_mac_present, (const PKCS12 *file), (file))
LAZY_FUNCTION(
    libcrypto, int, PKCS12_parse,
    (PKCS12 * file, const char *password, EVP_PKEY **key, X509 **certificate, STACK_OF(X509) * *others),
    (file, password, key, certificate, others))
LAZY_FUNCTION(
    libcrypto, int, PKCS12_verify_mac,
    (PKCS12 * file, const char *password, int size),
    (file, password, size))
LAZY_FUNCTION(
    libcrypto, int, X509_check_private_key,
    (const X509 *certificate, const EVP_PKEY *key),
    (certificate, key))
LAZY_FUNCTION(
    libcrypto, PKCS12 *, d2i_PKCS12,
    (PKCS12 **file, const unsigned char **bytes, long size),
    (file, bytes, size))
LAZY_FUNCTION(
    libcrypto, EVP_PKEY *, d2i_PKCS8PrivateKey_bio,
    (BIO * bio, EVP_PKEY **key, pem_password_cb *callback, void *user),
    (bio, key, callback, user))
LAZY_FUNCTION(libcrypto, EVP_PKEY *, d2i_PrivateKey_bio, (BIO * bio, EVP_PKEY **key), (bio, key))
LAZY_FUNCTION(libcrypto, X509 *, d2i_X509_bio, (BIO * bio, X509 **certificate), (bio, certificate))
LAZY_FUNCTION(libcrypto, int, i2d_PKCS12_bio, (BIO * bio, const PKCS12 *file), (bio, file))

#endif
