// Stands for a program that a fork server has ready: it has that run with its own words, variables,
// folder and standard streams, hands signals on, and ends as it does.
//
// `FORK_SERVER`, a macro, is the path of the server's socket. See `server.c`.
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

extern char **environ;
static char request[1 << 17];
static volatile sig_atomic_t child;

static void hand_on(int number) { kill(child, number); }

static void fail(const char *name, const char *reason) {
  fprintf(stderr, "%s: %s\n", name, reason);
  exit(70);
}

/// Adds a text with its end, where there is room.
static void add(const char *text, size_t *count) {
  size_t length = strlen(text) + 1;
  if (length > sizeof request - *count) fail(text, "too many words for the fork server");
  memcpy(request + *count, text, length);
  *count += length;
}

static void send_request(int connection, size_t count) {
  int descriptors[3] = {0, 1, 2};
  char control[CMSG_SPACE(sizeof descriptors)];
  struct iovec bytes = {request, count};
  struct msghdr message = {
      .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  *rights = (struct cmsghdr){
      .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof descriptors)};
  memcpy(CMSG_DATA(rights), descriptors, sizeof descriptors);
  if (sendmsg(connection, &message, 0) < 0) fail(FORK_SERVER, "takes no request");
}

/// Folder, the number of words, words, variables, as the server takes them; returns their length.
static size_t write_request(int count, char **arguments) {
  char folder[4096], number[16];
  size_t length = 0;
  if (!getcwd(folder, sizeof folder)) fail(*arguments, "there is no current folder");
  add(folder, &length);
  snprintf(number, sizeof number, "%d", count);
  add(number, &length);
  for (char **word = arguments; *word; word++) add(*word, &length);
  for (char **variable = environ; *variable; variable++) add(*variable, &length);
  return length;
}

static int connect_to_server(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = FORK_SERVER};
  int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (connect(connection, (struct sockaddr *)&address, sizeof address))
    fail(FORK_SERVER, "there is no fork server");
  return connection;
}

int main(int count, char **arguments) {
  sigset_t signals;
  sigemptyset(&signals);
  struct sigaction action = {.sa_handler = hand_on, .sa_flags = SA_RESTART};
  for (const int *number = (int[]){SIGTERM, SIGINT, SIGHUP, 0}; *number; number++) {
    sigaddset(&signals, *number);
    sigaction(*number, &action, NULL);
  }
  // Until it is known which process they are for.
  sigprocmask(SIG_BLOCK, &signals, NULL);
  int connection = connect_to_server();
  send_request(connection, write_request(count, arguments));
  int32_t identifier, status, rest;
  if (read(connection, &identifier, sizeof identifier) != sizeof identifier)
    fail(*arguments, "the fork server failed");
  child = identifier;
  sigprocmask(SIG_UNBLOCK, &signals, NULL);
  if (read(connection, &status, sizeof status) != sizeof status) fail(*arguments, "was killed");
  // What it wrote is whole once its end of the connection is closed.
  while (read(connection, &rest, sizeof rest) > 0) {
  }
  return status;
}
