#ifndef GRAPHKIT_CASS_H
#define GRAPHKIT_CASS_H

// What is used of libass 0.15 and later, as its headers declare it. It is declared here and not
// included, so that no program is linked with it.

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ass_library ASS_Library;
typedef struct ass_renderer ASS_Renderer;
typedef struct ass_track ASS_Track;

// A bitmap of opacity, to be filled with one colour.
typedef struct ass_image {
  int w, h;
  // Bytes from a row to the next; the last row may be shorter.
  int stride;
  unsigned char *bitmap;
  // Red, green, blue and transparency, from the highest byte down.
  uint32_t color;
  int dst_x, dst_y;
  struct ass_image *next;
} ASS_Image;

enum { ASS_FONTPROVIDER_AUTODETECT = 1 };

// Result, name and parameters of each function.
#define GRAPHKIT_ASS_FUNCTIONS(F)                                                                  \
  F(ASS_Library *, ass_library_init, (void))                                                       \
  F(void, ass_library_done, (ASS_Library *library))                                                \
  F(void, ass_set_message_cb,                                                                      \
    (ASS_Library *library, void (*callback)(int level, const char *format, va_list, void *data),   \
     void *data))                                                                                  \
  F(void, ass_set_fonts_dir, (ASS_Library *library, const char *folder))                           \
  F(void, ass_set_extract_fonts, (ASS_Library *library, int extract))                              \
  F(ASS_Renderer *, ass_renderer_init, (ASS_Library *library))                                     \
  F(void, ass_renderer_done, (ASS_Renderer *renderer))                                             \
  F(void, ass_set_frame_size, (ASS_Renderer *renderer, int width, int height))                     \
  F(void, ass_set_storage_size, (ASS_Renderer *renderer, int width, int height))                   \
  F(void, ass_set_pixel_aspect, (ASS_Renderer *renderer, double ratio))                            \
  F(void, ass_set_fonts,                                                                           \
    (ASS_Renderer *renderer, const char *file, const char *family, int provider,                   \
     const char *configuration, int update))                                                       \
  F(ASS_Track *, ass_read_memory,                                                                  \
    (ASS_Library *library, char *bytes, size_t size, char *encoding))                              \
  F(void, ass_free_track, (ASS_Track *track))                                                      \
  F(ASS_Image *, ass_render_frame,                                                                 \
    (ASS_Renderer *renderer, ASS_Track *track, long long milliseconds, int *change))

#define GRAPHKIT_ASS_FIELD(result, name, parameters) result(*_Nonnull name) parameters;
#define GRAPHKIT_ASS_LOAD(result, name, parameters)                                                \
  *(void **)&functions.name = dlsym(library, #name);                                               \
  *complete = *complete && *(void **)&functions.name;

typedef struct { GRAPHKIT_ASS_FUNCTIONS(GRAPHKIT_ASS_FIELD) } ASSFunctions;

// The functions of the library; not `complete` where one is missing.
static inline ASSFunctions ass_functions_load(void *library, bool *complete) {
  ASSFunctions functions;
  *complete = true;
  GRAPHKIT_ASS_FUNCTIONS(GRAPHKIT_ASS_LOAD)
  return functions;
}

static inline void ass_say_nothing(int level, const char *format, va_list list, void *data) {}

// Has nothing written to the standard error stream.
static inline void ass_keep_silent(const ASSFunctions *functions, ASS_Library *library) {
  functions->ass_set_message_cb(library, ass_say_nothing, NULL);
}

#endif
