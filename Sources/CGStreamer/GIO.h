#ifndef GRAPHKIT_GIO_H
#define GRAPHKIT_GIO_H

// What is used of GIO 2.60, as its headers declare it. It is declared here and not included, so that
// no program is linked with it: only encrypted connections need it.

#include <dlfcn.h>
#include <gst/gst.h>
#include <stdbool.h>

// Result, name and parameters of each function.
#define GRAPHKIT_GIO_FUNCTIONS(F)                                                      \
  F(GType, g_tls_connection_get_type, (void))                                          \
  F(GType, g_tls_client_connection_get_type, (void))                                   \
  F(GType, g_network_address_get_type, (void))                                         \
  F(gpointer, g_tls_client_connection_get_server_identity, (gpointer connection))      \
  F(const char *, g_network_address_get_hostname, (gpointer address))                  \
  F(guint16, g_network_address_get_port, (gpointer address))                           \
  F(gpointer, g_tls_backend_get_default, (void))                                       \
  F(gboolean, g_tls_backend_supports_tls, (gpointer backend))                          \
  F(void, g_tls_backend_set_default_database, (gpointer backend, gpointer database))   \
  F(gpointer, g_tls_file_database_new, (const char *path, GError **error))

#define GRAPHKIT_GIO_MEMBER(result, name, parameters) result(*name) parameters;
#define GRAPHKIT_GIO_LOAD(result, name, parameters)      \
  functions.name = (result(*) parameters)dlsym(library, #name); \
  *complete = *complete && functions.name;

typedef struct {
  GRAPHKIT_GIO_FUNCTIONS(GRAPHKIT_GIO_MEMBER)
} GIOFunctions;

// The functions of a library that was loaded; `complete` says whether it has all.
static inline GIOFunctions gio_functions_load(void *library, bool *complete) {
  GIOFunctions functions;
  *complete = true;
  GRAPHKIT_GIO_FUNCTIONS(GRAPHKIT_GIO_LOAD)
  return functions;
}

#endif
