// Functions that OpenSSL 3 offers as macros only, as inline functions that Swift can import.
#ifndef SOCKEYE_COPENSSL_SHIM_H
#define SOCKEYE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#endif
