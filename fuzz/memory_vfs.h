/* SQLite reads the bytes of an input from memory: system calls would take half of the time. */
#ifndef FUZZ_MEMORY_VFS_H
#define FUZZ_MEMORY_VFS_H

#include <stddef.h>
#include <stdint.h>

/* From now on every database that SQLite opens has these bytes, which are borrowed. No journal
 * exists. */
void memory_vfs_use(uint8_t *data, size_t size);

#endif
