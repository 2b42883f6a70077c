#ifndef GRAPHKIT_SYSTEM_H
#define GRAPHKIT_SYSTEM_H

#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/types.h>

// glibc declares it only under _GNU_SOURCE, which Swift's importer doesn't set.
int pthread_setname_np(pthread_t thread, const char *name);
int fallocate(int descriptor, int mode, off_t offset, off_t length);
ssize_t copy_file_range(
    int source, off_t *source_offset, int descriptor, off_t *offset, size_t length,
    unsigned int flags);
int pipe2(int descriptors[2], int flags);
int memfd_create(const char *name, unsigned int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// The variable itself is one that any thread may change, which Swift refuses.
extern char **environ;
static inline char *_Nullable *_Nonnull graphkit_environment(void) { return environ; }

#endif
