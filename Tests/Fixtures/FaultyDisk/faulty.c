// Has the files that a program writes be on a disk which interrupts, takes little at once, or fails
// where they are closed, as those of other machines do:
//
//   FAULTY_FILE=a.mp4 FAULTY_CLOSE=4 LD_PRELOAD=faulty.so PROGRAM
//
// Of files open for writing whose path ends in FAULTY_FILE each second write is interrupted, each
// other takes 1,000 bytes at most, and closing fails with the number FAULTY_CLOSE, but closes. A line
// "closed" in FAULTY_LOG is such a close.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_uint writes;

static int is_faulty(int descriptor) {
  const char *name = getenv("FAULTY_FILE");
  if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path);
  size_t count = name ? strlen(name) : 0;
  return count > 0 && length >= (ssize_t)count && !memcmp(path + length - count, name, count);
}

/// How much of a write the disk takes; 0 where it is interrupted.
static size_t taken(int descriptor, size_t count) {
  if (!is_faulty(descriptor)) return count;
  if (atomic_fetch_add(&writes, 1) % 2 == 0) return 0;
  return count < 1000 ? count : 1000;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*original)(int, const void *, size_t, off64_t);
  if (!original) original = dlsym(RTLD_NEXT, "pwrite64");
  size_t most = taken(descriptor, count);
  if (count > 0 && most == 0) {
    errno = EINTR;
    return -1;
  }
  return original(descriptor, bytes, most, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite64(descriptor, bytes, count, offset);
}

int close(int descriptor) {
  static int (*original)(int);
  if (!original) original = dlsym(RTLD_NEXT, "close");
  int fails = is_faulty(descriptor);
  int result = original(descriptor);
  if (!fails) return result;
  int log = open(getenv("FAULTY_LOG"), O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (log >= 0) {
    (void)!write(log, "closed\n", 7);
    original(log);
  }
  errno = atoi(getenv("FAULTY_CLOSE"));
  return errno ? -1 : result;
}
