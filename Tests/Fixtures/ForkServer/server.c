// A fork server: a program that has been loaded and linked once, and forks where it would begin.
//
// Preloaded into ffmpeg. The dynamic linker takes longer with its two hundred libraries than most
// tests have it read a file; a fork has that done. Usage:
//
//   FORK_SERVER=SOCKET LD_PRELOAD=server.so ffmpeg
//
// It says on standard output that it listens, and ends when standard input does: with the process
// that started it. `client.c` sends what a run is made of.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

typedef int (*Main)(int, char **, char **);
typedef int (*Start)(
    Main, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static char request[1 << 17];
static char *words[1 << 13];
static int connection;

static void report_status(int status, void *unused) {
  (void)unused;
  int32_t number = status & 0xff;
  (void)!write(connection, &number, sizeof number);
}

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 128)) _exit(1);
  if (write(STDOUT_FILENO, "\n", 1) != 1) _exit(1);
  return listener;
}

/// Takes a request, in the child: descriptors, folder, the number of words, words, variables.
static int receive_run(void) {
  char control[CMSG_SPACE(3 * sizeof(int))];
  struct iovec bytes = {request, sizeof request - 1};
  struct msghdr message = {
      .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t count = recvmsg(connection, &message, 0);
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  if (count <= 0 || !rights || rights->cmsg_len != CMSG_LEN(3 * sizeof(int))) _exit(1);
  int descriptors[3];
  memcpy(descriptors, CMSG_DATA(rights), sizeof descriptors);
  for (int index = 0; index < 3; index++) {
    dup2(descriptors[index], index);
    close(descriptors[index]);
  }
  char *place = request, *end = request + count;
  if (chdir(place)) _exit(1);
  place += strlen(place) + 1;
  int word_count = atoi(place);
  place += strlen(place) + 1;
  size_t index = 0;
  for (; place < end && index < sizeof words / sizeof *words - 2; place += strlen(place) + 1) {
    if (index == (size_t)word_count) index++;
    words[index++] = place;
  }
  environ = words + word_count + 1;
  return word_count;
}

/// Closes pipes that were opened while this process was started, and whose readers wait for their end.
static void close_inherited_pipes(void) {
  for (int descriptor = 3; descriptor < 4096; descriptor++) {
    struct stat state;
    if (fstat(descriptor, &state) == 0 && S_ISFIFO(state.st_mode)) close(descriptor);
  }
}

/// Returns in each child, with the number of its words.
static int serve(const char *path) {
  close_inherited_pipes();
  int listener = listen_at(path);
  signal(SIGCHLD, SIG_IGN);
  struct pollfd waited[2] = {{listener, POLLIN, 0}, {STDIN_FILENO, 0, 0}};
  for (;;) {
    if (poll(waited, 2, -1) < 0) continue;
    if (waited[1].revents) _exit(0);
    connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) continue;
    if (fork() == 0) break;
    close(connection);
  }
  close(listener);
  int word_count = receive_run();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGCHLD, SIG_DFL);
  int32_t identifier = getpid();
  if (write(connection, &identifier, sizeof identifier) < 0) _exit(1);
  on_exit(report_status, NULL);
  return word_count;
}

/// What programs begin with, once all libraries are loaded.
int __libc_start_main(
    Main main, int count, char **arguments, void (*first)(void), void (*last)(void),
    void (*loader_last)(void), void *stack) {
  Start start = (Start)dlsym(RTLD_NEXT, "__libc_start_main");
  const char *path = getenv("FORK_SERVER");
  if (path) {
    count = serve(path);
    arguments = words;
  }
  return start(main, count, arguments, first, last, loader_last, stack);
}
