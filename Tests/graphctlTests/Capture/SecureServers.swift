import Foundation

/// What serves encrypted streams to the tests, on this machine alone.
enum SecureServers {
  /// Writes a certificate that signs itself, for 127.0.0.1 or another host, and its key into two files.
  static func writeCertificate(
    _ name: String = "server", of host: String = "IP:127.0.0.1", in folder: Folder
  ) async throws {
    try await Tool.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(host)",
        "-keyout", "\(name).key", "-out", "\(name).pem",
      ], in: folder.url)
  }

  /// What has a program trust a certificate of the folder.
  static func trusting(_ name: String = "server", in folder: Folder) -> [String: String] {
    ["CURL_CA_BUNDLE": "\(folder.path)/\(name).pem"]
  }

  /// A server of RTSP with the certificate of the folder, else as ``LiveServers`` has it.
  static func rtsps(in folder: Folder) async throws -> BackgroundProgram {
    try await LiveServers.rtsp(
      recording: "\(folder.path)/taken", certificate: "\(folder.path)/server")
  }

  /// What encrypts a port for what listens at another.
  static func front(_ port: String, of inner: String, in folder: Folder) async throws
    -> BackgroundProgram
  {
    let certificate = "\(folder.path)/server"
    return try await LiveServers.nginx(
      "stream", in: folder,
      """
      server { listen 127.0.0.1:\(port) ssl; proxy_pass 127.0.0.1:\(inner);
        ssl_certificate \(certificate).pem; ssl_certificate_key \(certificate).key; }
      """)
  }

  /// A web server of a folder's files.
  static func https(in folder: Folder) async throws -> BackgroundProgram {
    try await BackgroundProgram("python3", ["-u", "-c", webServer, folder.path])
  }

  private static let webServer = """
    import functools, http.server, ssl, sys
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1] + '/server.pem', sys.argv[1] + '/server.key')
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """
}
