// Writes frames that it draws into a movie through `appsrc`: samples FRAMES PATH OPTIONS-OF-X264.
// What SampleCheck does in Swift; Benchmarks/samples.py builds and runs both.
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <string.h>

enum { WIDTH = 1920, HEIGHT = 1080, SIZE = WIDTH * HEIGHT * 3 / 2, RATE = 30 };

static void draw(guint8 *pixels, int number) {
  for (int row = 0; row < HEIGHT; row++)
    memset(pixels + row * WIDTH, 16 + (row + number * 4) % 220, WIDTH);
  memset(pixels + HEIGHT * WIDTH, 128, SIZE - HEIGHT * WIDTH);
}

int main(int count, char **words) {
  gst_init(NULL, NULL);
  if (count != 4) g_error("Usage: samples FRAMES PATH OPTIONS");
  gchar *text = g_strdup_printf(
      "appsrc name=source format=time block=true max-bytes=%d "
      "caps=video/x-raw,format=I420,width=%d,height=%d,framerate=%d/1 ! x264enc %s ! "
      "video/x-h264,profile=high ! h264parse ! mp4mux ! filesink location=%s",
      4 * SIZE, WIDTH, HEIGHT, RATE, words[3], words[2]);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch(text, &error);
  if (error) g_error("%s", error->message);
  GstElement *source = gst_bin_get_by_name(GST_BIN(pipeline), "source");
  GstBufferPool *pool = gst_buffer_pool_new();
  GstStructure *config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, NULL, SIZE, 0, 0);
  gst_buffer_pool_set_config(pool, config);
  gst_buffer_pool_set_active(pool, TRUE);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  for (int number = 0; number < atoi(words[1]); number++) {
    GstBuffer *frame;
    if (gst_buffer_pool_acquire_buffer(pool, &frame, NULL) != GST_FLOW_OK) g_error("no memory");
    GstMapInfo map;
    gst_buffer_map(frame, &map, GST_MAP_WRITE);
    draw(map.data, number);
    gst_buffer_unmap(frame, &map);
    GST_BUFFER_PTS(frame) = gst_util_uint64_scale(number, GST_SECOND, RATE);
    GST_BUFFER_DURATION(frame) = gst_util_uint64_scale(1, GST_SECOND, RATE);
    if (gst_app_src_push_buffer(GST_APP_SRC(source), frame) != GST_FLOW_OK) g_error("stopped");
  }
  gst_app_src_end_of_stream(GST_APP_SRC(source));
  GstMessage *end = gst_bus_timed_pop_filtered(
      GST_ELEMENT_BUS(pipeline), GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  int failed = GST_MESSAGE_TYPE(end) == GST_MESSAGE_ERROR;
  gst_element_set_state(pipeline, GST_STATE_NULL);
  return failed;
}
