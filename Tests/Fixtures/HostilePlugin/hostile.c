// A GStreamer plug-in for tests: its element reads files that begin with "HOSTILE ", as a demuxer would
// that a file has taken over, and does what the rest of the line says. What became of it, it says in an
// error.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gst/gst.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define PACKAGE "hostile"

typedef struct {
  GstElement parent;
} Hostile;
typedef struct {
  GstElementClass parent;
} HostileClass;

static GType hostile_get_type(void);
G_DEFINE_TYPE(Hostile, hostile, GST_TYPE_ELEMENT)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS("video/x-hostile"));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS("audio/x-raw"));

static const char *outcome(long result) { return result < 0 ? strerror(errno) : "DONE"; }

static int tcp(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // Nothing listens there: a network that can be reached refuses.
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0 && errno == ECONNREFUSED)
    return 0;
  return -1;
}

static int run(void) {
  char *const words[] = {"/bin/true", NULL};
  pid_t child = vfork();
  if (child == 0) {
    execv(words[0], words);
    _exit(1);
  }
  if (child < 0) return -1;
  int status;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : -1;
}

static GstFlowReturn chain(GstPad *pad, GstObject *parent, GstBuffer *buffer) {
  char text[512] = "";
  gst_buffer_extract(buffer, 8, text, sizeof text - 1);
  gst_buffer_unref(buffer);
  char *path = strchr(text, ' ');
  if (path) *path++ = 0;
  if (path) path[strcspn(path, "\n")] = 0;
  text[strcspn(text, "\n")] = 0;
  if (!strcmp(text, "crash")) *(volatile int *)8 = 1;
  if (!strcmp(text, "exit")) _exit(3);
  if (!strcmp(text, "hang"))
    while (1) sleep(1);
  if (!strcmp(text, "spin"))
    for (volatile long n = 0;; n++) {
    }
  if (!strcmp(text, "memory"))
    for (size_t n = 0; n < 64; n++) {
      volatile char *block = malloc(64 << 20);
      if (!block) abort();
      for (size_t place = 0; place < 64 << 20; place += 4096) block[place] = 1;
    }
  if (!strcmp(text, "break")) {
    GString *said = g_string_new("");
    errno = 0;
    g_string_append_printf(said, "[read: %s]", outcome(open(path, O_RDONLY)));
    g_string_append_printf(said, "[list: %s]", outcome(open("/", O_RDONLY | O_DIRECTORY)));
    g_string_append_printf(said, "[write: %s]", outcome(open(path, O_WRONLY)));
    g_string_append_printf(said, "[make: %s]", outcome(open("made", O_WRONLY | O_CREAT, 0600)));
    g_string_append_printf(said, "[remove: %s]", outcome(unlink(path)));
    g_string_append_printf(said, "[chmod: %s]", outcome(chmod(path, 0777)));
    g_string_append_printf(said, "[tcp: %s]", outcome(tcp()));
    g_string_append_printf(said, "[socket: %s]", outcome(socket(AF_UNIX, SOCK_STREAM, 0)));
    g_string_append_printf(
        said, "[memory: %s]",
        outcome((long)mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0)));
    g_string_append_printf(said, "[run: %s]", outcome(run()));
    g_string_append_printf(said, "[signal: %s]", outcome(kill(getppid(), 0)));
    GST_ELEMENT_ERROR(parent, STREAM, FAILED, ("tried %s", said->str), (NULL));
    g_string_free(said, TRUE);
  }
  return GST_FLOW_ERROR;
}

static void hostile_init(Hostile *self) {
  GstPad *pad = gst_pad_new_from_static_template(&sink_template, "sink");
  gst_pad_set_chain_function(pad, chain);
  gst_element_add_pad(GST_ELEMENT(self), pad);
}

static void hostile_class_init(HostileClass *class) {
  GstElementClass *element = GST_ELEMENT_CLASS(class);
  gst_element_class_add_static_pad_template(element, &sink_template);
  gst_element_class_add_static_pad_template(element, &src_template);
  gst_element_class_set_static_metadata(element, "Hostile", "Codec/Demuxer", "For tests", "GraphKit");
}

static void find(GstTypeFind *find, gpointer data) {
  const guint8 *start = gst_type_find_peek(find, 0, 8);
  if (!start || memcmp(start, "HOSTILE ", 8)) return;
  GstCaps *caps = gst_caps_new_empty_simple("video/x-hostile");
  gst_type_find_suggest(find, GST_TYPE_FIND_MAXIMUM, caps);
  gst_caps_unref(caps);
}

static gboolean init(GstPlugin *plugin) {
  GstCaps *caps = gst_caps_new_empty_simple("video/x-hostile");
  gboolean done = gst_type_find_register(
      plugin, "video/x-hostile", GST_RANK_PRIMARY, find, "hostile", caps, NULL, NULL);
  gst_caps_unref(caps);
  return done && gst_element_register(plugin, "hostile", GST_RANK_PRIMARY, hostile_get_type());
}

GST_PLUGIN_DEFINE(
    GST_VERSION_MAJOR, GST_VERSION_MINOR, hostile, "For tests", init, "1.0", "MIT/X11", PACKAGE, "-")
