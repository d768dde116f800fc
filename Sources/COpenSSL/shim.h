// OpenSSL 3's function-like macros and variadic functions, as inline functions that Swift can import.
#ifndef SOCKEYE_COPENSSL_SHIM_H
#define SOCKEYE_COPENSSL_SHIM_H

#include <stdint.h>
#include <time.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static const uint64_t sockeye_op_no_renegotiation = SSL_OP_NO_RENEGOTIATION;
static const uint64_t sockeye_op_no_compression = SSL_OP_NO_COMPRESSION;
static const uint64_t sockeye_op_no_ticket = SSL_OP_NO_TICKET;
static const uint64_t sockeye_op_cipher_server_preference = SSL_OP_CIPHER_SERVER_PREFERENCE;
static const uint64_t sockeye_op_enable_ktls = SSL_OP_ENABLE_KTLS;
static const uint64_t sockeye_op_ignore_unexpected_eof = SSL_OP_IGNORE_UNEXPECTED_EOF;

// The format for printing the names in certificates: RFC 2253 with UTF-8 unchanged and controls escaped. It is safe in
// a log whatever the peer wrote.
static const unsigned long sockeye_name_format = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;

// Must be called before any other function of OpenSSL, so each function that may be the first to use OpenSSL calls
// it. By default OpenSSL frees its global state when the process exits, while other threads may still encrypt; the
// system frees the memory anyway. Further calls only check a flag.
static inline void sockeye_keep_until_exit(void) { OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL); }

static inline void sockeye_ctx_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }

static inline void sockeye_ctx_clear_mode(SSL_CTX *context, long mode) { SSL_CTX_clear_mode(context, mode); }

static inline void sockeye_ctx_set_read_ahead(SSL_CTX *context, int on) { SSL_CTX_set_read_ahead(context, on); }

static inline int sockeye_ctx_set_min_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int sockeye_ctx_set_max_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

static inline void sockeye_ctx_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}

static inline int sockeye_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

// The parts of a time in UTC; `month` and `day` count from 1.
struct sockeye_time_parts {
    int32_t year, month, day, hour, minute, second;
};

// Returns 1, or 0 if the time is unreadable.
static inline int sockeye_read_time(const ASN1_TIME *time, struct sockeye_time_parts *parts) {
    struct tm fields;
    if (ASN1_TIME_to_tm(time, &fields) != 1) return 0;
    *parts = (struct sockeye_time_parts){fields.tm_year + 1900, fields.tm_mon + 1, fields.tm_mday,
                                         fields.tm_hour,        fields.tm_min,     fields.tm_sec};
    return 1;
}

static inline int sockeye_set_retry_verify(SSL *ssl) { return SSL_set_retry_verify(ssl); }

static inline void sockeye_free_certificates(STACK_OF(X509) *list) { sk_X509_pop_free(list, X509_free); }

static inline void sockeye_free_revocation_lists(STACK_OF(X509_CRL) *list) { sk_X509_CRL_pop_free(list, X509_CRL_free); }

// OCSP stapling (RFC 6066 8): the client's request, the response that it receives, the response that a server sends.
static inline void sockeye_ask_for_status(SSL *ssl) { SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp); }

// Returns the length of the received response; -1 without a response.
static inline long sockeye_stapled_response(SSL *ssl, const unsigned char **response) {
    return SSL_get_tlsext_status_ocsp_resp(ssl, response);
}

// Passes a copy of the response to OpenSSL. Returns 1, or 0 on failure.
static inline int sockeye_staple_response(SSL *ssl, const unsigned char *bytes, int count) {
    unsigned char *copy = OPENSSL_memdup(bytes, (size_t)count);
    if (copy == NULL) return 0;
    if (SSL_set_tlsext_status_ocsp_resp(ssl, copy, count) == 1) return 1;
    OPENSSL_free(copy);
    return 0;
}

static inline void sockeye_ctx_set_status_callback(SSL_CTX *context, int (*callback)(SSL *, void *)) {
    SSL_CTX_set_tlsext_status_cb(context, callback);
}

static inline const EVP_MD *sockeye_digest_of(const ASN1_OBJECT *object) { return EVP_get_digestbyobj(object); }

static inline long sockeye_bio_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

// SSL_SESSION_get_time is deprecated since OpenSSL 3.4; its replacement exists since 3.3.
static inline long long sockeye_session_time(const SSL_SESSION *session) {
#if OPENSSL_VERSION_NUMBER >= 0x30300000L
    return SSL_SESSION_get_time_ex(session);
#else
    return SSL_SESSION_get_time(session);
#endif
}

static inline EVP_PKEY *sockeye_new_ec_key(const char *curve) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
}

static inline EVP_PKEY *sockeye_new_rsa_key(size_t bits) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}

#endif
