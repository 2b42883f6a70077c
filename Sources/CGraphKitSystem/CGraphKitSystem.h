#ifndef GRAPHKIT_SYSTEM_H
#define GRAPHKIT_SYSTEM_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// glibc declares it only under _GNU_SOURCE, which Swift's importer doesn't set.
int pthread_setname_np(pthread_t thread, const char *name);
int fallocate(int descriptor, int mode, off_t offset, off_t length);
ssize_t copy_file_range(
    int source, off_t *source_offset, int descriptor, off_t *offset, size_t length,
    unsigned int flags);
int renameat2(
    int old_folder, const char *old_path, int folder, const char *path, unsigned int flags);
int pipe2(int descriptors[2], int flags);
int memfd_create(const char *name, unsigned int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// The variable itself is one that any thread may change, which Swift refuses.
extern char **environ;
static inline char *_Nullable *_Nonnull graphkit_environment(void) { return environ; }

// The C library has no functions for Landlock (landlock(7)), and `syscall` takes variable arguments,
// which Swift can't call. The numbers are the same on every architecture.
static inline int graphkit_landlock_version(void) {
  return (int)syscall(444, (void *)0, (size_t)0, 1u);
}

// Makes a set of rules about what is done with files, with TCP, and with processes outside. The
// kernel knows the first 8, 16 or 24 bytes of it, by its version.
static inline int graphkit_landlock_rules(
    uint64_t files, uint64_t network, uint64_t scopes, size_t size) {
  uint64_t handled[3] = {files, network, scopes};
  return (int)syscall(444, handled, size, 0u);
}

// Allows something with a file that is open, or with what is in a folder that is.
static inline int graphkit_landlock_allow(int rules, int descriptor, uint64_t access) {
  struct __attribute__((packed)) {
    uint64_t access;
    int32_t descriptor;
  } rule = {access, descriptor};
  return (int)syscall(445, rules, 1, &rule, 0u);
}

static inline int graphkit_landlock_restrict(int rules) { return (int)syscall(446, rules, 0u); }

// `prctl` takes variable arguments.
static inline int graphkit_set_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static inline int graphkit_end_with_parent(int signal) {
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

static inline int graphkit_set_filter(struct sock_filter *_Nonnull filter, unsigned short count) {
  struct sock_fprog program = {.len = count, .filter = filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

// Whether a process can't have so many more MiB of memory.
static inline int graphkit_lacks_memory(size_t mebibytes) {
  const size_t size = mebibytes << 20;
  void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return 1;
  munmap(room, size);
  return 0;
}

// The code with which a process ends that has used up its memory: EX_OSERR of sysexits.h.
#define GRAPHKIT_NO_MEMORY_CODE 71

// What a process does at a signal that ends it for a fault: nothing else than without this, but where
// that is for want of memory. Whatever had failed to allocate has crashed, or aborted, since.
static inline void graphkit_end_for_fault(int signal) {
  // What wasn't to be had was a frame, say.
  if (graphkit_lacks_memory(64)) _exit(GRAPHKIT_NO_MEMORY_CODE);
  // The signal has its default action again (SA_RESETHAND).
  raise(signal);
}

static inline int graphkit_watch_fault(int signal) {
  struct sigaction action = {.sa_handler = graphkit_end_for_fault};
  action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
  return sigaction(signal, &action, NULL);
}

// `fcntl` takes variable arguments, and F_ADD_SEALS (1033) is declared only under _GNU_SOURCE: the
// memory keeps its size (F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW).
int fcntl(int descriptor, int command, ...);
static inline int graphkit_seal_size(int descriptor) { return fcntl(descriptor, 1033, 1 | 2 | 4); }

// Messages with a descriptor need the macros of cmsg(3), which Swift doesn't import. Less than zero
// for no descriptor.
static inline ssize_t graphkit_send(
    int socket, const void *_Nonnull bytes, size_t count, int descriptor, int waits) {
  struct iovec part = {(void *)bytes, count};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
}

// The first descriptor that comes along, of which further ones are closed; where none is expected, the
// kernel gives this process none.
static inline ssize_t graphkit_receive(
    int socket, void *_Nonnull bytes, size_t count, int *_Nullable descriptor) {
  struct iovec part = {bytes, count};
  if (!descriptor) {
    struct msghdr plain = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t received = recvmsg(socket, &plain, MSG_CMSG_CLOEXEC);
    return received >= 0 && plain.msg_flags & MSG_TRUNC ? (ssize_t)count + 1 : received;
  }
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      .msg_controllen = sizeof control.bytes};
  *descriptor = -1;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len >= CMSG_LEN(sizeof(int))) {
    size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptor, CMSG_DATA(header), sizeof(int));
    // There is room for two where one is aligned.
    for (size_t index = 1; index < number; index++) {
      int further;
      memcpy(&further, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
      close(further);
    }
  }
  return message.msg_flags & MSG_TRUNC ? (ssize_t)count + 1 : received;
}

#endif
