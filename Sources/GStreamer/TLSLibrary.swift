import CGStreamer
import Glibc
import GraphKitSystem

/// GIO, GLib's library of connections. It is loaded by name, so that no program is linked with it
/// that makes no encrypted connection.
@safe struct TLSLibrary: @unchecked Sendable {
  // Unchecked because functions of a loaded library, and its default backend, are there for good.
  private let gio: GIOFunctions
  private let backend: gpointer

  init() throws(Certificates.Failure) {
    Library.startCore()
    let found = unsafe FloatingPointMode.kept {
      unsafe dlopen("libgio-2.0.so.0", RTLD_NOW | RTLD_LOCAL)
    }
    guard let library = unsafe found else { throw .noLibrary }
    var isComplete = false
    unsafe gio = gio_functions_load(library, &isComplete)
    guard isComplete, let backend = gio.g_tls_backend_get_default(),
      unsafe gio.g_tls_backend_supports_tls(backend) != 0
    else { throw .noLibrary }
    unsafe self.backend = backend
  }

  /// Has a function called whenever a certificate is refused, unless the application takes it.
  func watch(_ body: GSignalEmissionHook) {
    let type = gio.g_tls_connection_get_type()
    // The signal is there once the class is.
    unsafe _ = g_type_class_ref(type)
    unsafe g_signal_add_emission_hook(
      g_signal_lookup("accept-certificate", type), 0, body, nil, nil)
  }

  /// Has every connection trust the certificates of a file from now on, and no others.
  func trust(file path: String) throws(Certificates.Failure) {
    var error: UnsafeMutablePointer<GError>?
    guard let database = unsafe gio.g_tls_file_database_new(path, &error) else {
      let words = unsafe error.map { unsafe String(cString: $0.pointee.message) }
      unsafe g_clear_error(&error)
      throw .unreadable(words ?? "GLib gives no reason")
    }
    unsafe gio.g_tls_backend_set_default_database(backend, database)
    unsafe g_object_unref(database)
  }

  /// The server that a connection is to; `nil` where it isn't one to a server, or has no name.
  func server(of connection: gpointer?) -> (host: String, port: Int)? {
    guard unsafe isInstance(connection, of: gio.g_tls_client_connection_get_type()),
      let identity = unsafe gio.g_tls_client_connection_get_server_identity(connection),
      unsafe isInstance(identity, of: gio.g_network_address_get_type()),
      let host = unsafe gio.g_network_address_get_hostname(identity)
    else { return nil }
    return unsafe (
      String(cString: host).lowercased(), Int(gio.g_network_address_get_port(identity))
    )
  }

  private func isInstance(_ object: gpointer?, of type: GType) -> Bool {
    unsafe g_type_check_instance_is_a(
      object?.assumingMemoryBound(to: GTypeInstance.self), type) != 0
  }
}
