#ifndef GRAPHKIT_SYSTEM_H
#define GRAPHKIT_SYSTEM_H

#include <malloc.h>
#include <pthread.h>
#include <sys/types.h>

// glibc declares it only under _GNU_SOURCE, which Swift's importer doesn't set.
int pthread_setname_np(pthread_t thread, const char *name);
int fallocate(int descriptor, int mode, off_t offset, off_t length);
ssize_t copy_file_range(
    int source, off_t *source_offset, int descriptor, off_t *offset, size_t length,
    unsigned int flags);

#endif
