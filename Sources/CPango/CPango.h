#ifndef GRAPHKIT_CPANGO_H
#define GRAPHKIT_CPANGO_H

// What is used of Pango 1.44 and Cairo 1.16, as their headers declare it. It is declared here and
// not included, so that no program is linked with them: loading the twenty libraries that they need
// would be half the start of a graph that draws no text.

#include <dlfcn.h>
#include <stdbool.h>

typedef struct PangoFontMap PangoFontMap;
typedef struct PangoContext PangoContext;
typedef struct PangoFont PangoFont;
typedef struct PangoFontDescription PangoFontDescription;
typedef struct PangoLayout PangoLayout;
typedef struct PangoLayoutLine PangoLayoutLine;
typedef struct cairo_t cairo_t;
typedef struct cairo_surface_t cairo_surface_t;
typedef struct cairo_pattern_t cairo_pattern_t;
typedef struct cairo_font_options_t cairo_font_options_t;

// In units of 1/PANGO_SCALE pixels.
typedef struct { int x, y, width, height; } PangoRectangle;

enum { PANGO_SCALE = 1024 };
enum { PANGO_WEIGHT_NORMAL = 400, PANGO_WEIGHT_BOLD = 700 };
enum { PANGO_STYLE_NORMAL = 0, PANGO_STYLE_ITALIC = 2 };
enum { PANGO_WRAP_WORD_CHAR = 2 };
enum { CAIRO_FORMAT_ARGB32 = 0, CAIRO_HINT_STYLE_NONE = 1, CAIRO_LINE_JOIN_ROUND = 1 };
enum { CAIRO_ANTIALIAS_GRAY = 2, CAIRO_ANTIALIAS_FAST = 4 };

// Result, name and parameters of each function.
#define GRAPHKIT_PANGO_FUNCTIONS(F)                                                                \
  F(void, g_object_unref, (void *object))                                                          \
  F(PangoFontMap *, pango_cairo_font_map_new, (void))                                              \
  F(PangoContext *, pango_font_map_create_context, (PangoFontMap *map))                            \
  F(void, pango_cairo_context_set_font_options,                                                    \
    (PangoContext *context, const cairo_font_options_t *options))                                  \
  F(PangoFont *, pango_context_load_font,                                                          \
    (PangoContext *context, const PangoFontDescription *description))                              \
  F(PangoFontDescription *, pango_font_describe, (PangoFont *font))                                \
  F(PangoFontDescription *, pango_font_description_new, (void))                                    \
  F(void, pango_font_description_free, (PangoFontDescription *description))                        \
  F(const char *, pango_font_description_get_family, (const PangoFontDescription *description))    \
  F(void, pango_font_description_set_family,                                                       \
    (PangoFontDescription *description, const char *family))                                       \
  F(void, pango_font_description_set_weight, (PangoFontDescription *description, unsigned weight)) \
  F(void, pango_font_description_set_style, (PangoFontDescription *description, unsigned style))   \
  F(void, pango_font_description_set_absolute_size,                                                \
    (PangoFontDescription *description, double size))                                              \
  F(PangoLayout *, pango_layout_new, (PangoContext *context))                                      \
  F(void, pango_layout_set_text, (PangoLayout *layout, const char *text, int length))              \
  F(void, pango_layout_set_font_description,                                                       \
    (PangoLayout *layout, const PangoFontDescription *description))                                \
  F(void, pango_layout_set_width, (PangoLayout *layout, int width))                                \
  F(void, pango_layout_set_wrap, (PangoLayout *layout, unsigned wrap))                             \
  F(int, pango_layout_get_line_count, (PangoLayout *layout))                                       \
  F(int, pango_layout_get_unknown_glyphs_count, (PangoLayout *layout))                             \
  F(PangoLayoutLine *, pango_layout_get_line_readonly, (PangoLayout *layout, int line))            \
  F(void, pango_layout_line_get_extents,                                                           \
    (PangoLayoutLine *line, PangoRectangle *ink, PangoRectangle *logical))                         \
  F(void, pango_cairo_show_layout_line, (cairo_t *canvas, PangoLayoutLine *line))                  \
  F(void, pango_cairo_layout_line_path, (cairo_t *canvas, PangoLayoutLine *line))                  \
  F(cairo_font_options_t *, cairo_font_options_create, (void))                                     \
  F(void, cairo_font_options_destroy, (cairo_font_options_t *options))                             \
  F(void, cairo_font_options_set_antialias, (cairo_font_options_t *options, unsigned antialias))   \
  F(void, cairo_font_options_set_hint_style, (cairo_font_options_t *options, unsigned style))      \
  F(cairo_surface_t *, cairo_image_surface_create_for_data,                                        \
    (unsigned char *pixels, int format, int width, int height, int bytes_per_row))                 \
  F(void, cairo_surface_flush, (cairo_surface_t *surface))                                         \
  F(void, cairo_surface_destroy, (cairo_surface_t *surface))                                       \
  F(cairo_t *, cairo_create, (cairo_surface_t *surface))                                           \
  F(void, cairo_destroy, (cairo_t *canvas))                                                        \
  F(unsigned, cairo_status, (cairo_t *canvas))                                                     \
  F(void, cairo_translate, (cairo_t *canvas, double x, double y))                                  \
  F(void, cairo_set_antialias, (cairo_t *canvas, unsigned antialias))                              \
  F(void, cairo_set_source, (cairo_t *canvas, cairo_pattern_t *pattern))                           \
  F(void, cairo_set_source_rgba, (cairo_t *canvas, double r, double g, double b, double a))        \
  F(void, cairo_set_line_width, (cairo_t *canvas, double width))                                   \
  F(void, cairo_set_line_join, (cairo_t *canvas, unsigned join))                                   \
  F(void, cairo_move_to, (cairo_t *canvas, double x, double y))                                    \
  F(void, cairo_rectangle, (cairo_t *canvas, double x, double y, double width, double height))     \
  F(void, cairo_fill, (cairo_t *canvas))                                                           \
  F(void, cairo_stroke, (cairo_t *canvas))                                                         \
  F(void, cairo_paint, (cairo_t *canvas))                                                          \
  F(void, cairo_push_group, (cairo_t *canvas))                                                     \
  F(cairo_pattern_t *, cairo_pop_group, (cairo_t *canvas))                                         \
  F(void, cairo_mask, (cairo_t *canvas, cairo_pattern_t *pattern))                                 \
  F(void, cairo_pattern_destroy, (cairo_pattern_t *pattern))

#define GRAPHKIT_PANGO_FIELD(result, name, parameters) result(*_Nonnull name) parameters;
#define GRAPHKIT_PANGO_LOAD(result, name, parameters)                                              \
  *(void **)&functions.name = dlsym(library, #name);                                               \
  *complete = *complete && *(void **)&functions.name;

typedef struct { GRAPHKIT_PANGO_FUNCTIONS(GRAPHKIT_PANGO_FIELD) } PangoFunctions;

// The functions of a library and of those that it needs; not `complete` where one is missing.
static inline PangoFunctions pango_functions_load(void *library, bool *complete) {
  PangoFunctions functions;
  *complete = true;
  GRAPHKIT_PANGO_FUNCTIONS(GRAPHKIT_PANGO_LOAD)
  return functions;
}

#endif
