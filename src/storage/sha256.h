/* The compression function of SHA-256, for any machine and for one with instructions for it. */
#ifndef STORAGE_SHA256_H
#define STORAGE_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* H: 8 words, in and out; data: so many blocks of 64 bytes */
typedef void rbv_sha256_compress(uint32_t H[8], const uint8_t *data, size_t blocks);

extern const uint32_t rbv_sha256_constants[64];

rbv_sha256_compress rbv_sha256_plain;

/* NULL: not compiled for this machine, or the processor does not have the instructions */
rbv_sha256_compress *rbv_sha256_fast(void);

#endif
