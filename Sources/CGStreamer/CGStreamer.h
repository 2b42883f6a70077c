#ifndef GRAPHKIT_CGSTREAMER_H
#define GRAPHKIT_CGSTREAMER_H

#include <gst/gst.h>
#include <gst/base/base.h>
#include <gst/video/video.h>
#include <gst/audio/audio.h>
#include <sys/syscall.h>
#include <unistd.h>

// sched_getaffinity(2), which glibc declares for _GNU_SOURCE alone, and Swift calls nothing with
// variable arguments. Returns the bytes of the mask, or less than 0.
static inline long graphkit_affinity(unsigned long bytes, void *mask) {
  return syscall(SYS_sched_getaffinity, 0, bytes, mask);
}

#endif
