/* SHA-256 by OpenSSL's libcrypto, which uses the instructions that the processor has for it. */
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "storage/storage_internal.h"

static void write_hex(char out[65], const unsigned char digest[SHA256_DIGEST_LENGTH]) {
  for (int i = 0; i < 64; i++) out[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 ? 0 : 4) & 15];
  out[64] = 0;
}

void rbv_hash_bytes(char out[65], const void *data, size_t size) {
  unsigned char digest[SHA256_DIGEST_LENGTH] = {0};
  *out = 0;
  if (SHA256(data ? data : "", data ? size : 0, digest)) write_hex(out, digest);
}

/* Feed a file to the hash. *reason is errno if it cannot be read. */
static bool feed_file(EVP_MD_CTX *hash, int fd, int *reason) {
  unsigned char buffer[8192];  // stacks may be small
  bool whole = true;
  ssize_t n;
  do {
    n = read(fd, buffer, sizeof buffer);
    if (n > 0) whole = whole && EVP_DigestUpdate(hash, buffer, (size_t)n) == 1;
  } while (n > 0 || (n < 0 && errno == EINTR));
  *reason = n < 0 ? errno : 0;
  return whole;
}

rbv_status rbv_hash_file(char out[65], const char *path) {
  int fd, reason = 0;
  size_t announced;
  RBV_TRY(rbv_file_open(&fd, &announced, path));
  unsigned char digest[SHA256_DIGEST_LENGTH];
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  const bool hashed = hash && EVP_DigestInit_ex(hash, EVP_sha256(), NULL) == 1 &&
                      feed_file(hash, fd, &reason) && EVP_DigestFinal_ex(hash, digest, NULL) == 1;
  EVP_MD_CTX_free(hash);
  close(fd);
  if (reason != 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(reason));
  if (!hashed) return rbv_fail(RBV_EMEM, "out of memory");
  write_hex(out, digest);
  return RBV_OK;
}

const char *rbv_storage_library(int i, char version[64]) {
  if (i != 0) return NULL;
  snprintf(version, 64, "%s", OpenSSL_version(OPENSSL_VERSION_STRING));
  return "OpenSSL";
}
