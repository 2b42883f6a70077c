import CGStreamer
import GraphKitSystem

/// The certificates of servers that elements of this process connect to: whose are trusted, and why
/// one was refused.
///
/// Not every element can be given certificates of its own, or says why it trusts none, so both are
/// those of GLib for the whole process. GLib's library for that is loaded with the first use.
package enum Certificates {
  /// Why the certificates of a file aren't trusted.
  package enum Failure: Error, Hashable, Sendable {
    /// There is no library for encrypted connections, or it can't be used.
    case noLibrary
    /// The file can't be read, in GLib's words.
    case unreadable(String)
  }

  /// What is wrong with a certificate, worst first.
  package enum Flaw: UInt32, CaseIterable, Sendable {
    case revoked = 16
    case wrongHost = 2
    case expired = 8
    case notYetValid = 4
    case unknownAuthority = 1
    case insecure = 32
    case other = 64
  }

  /// A certificate that was refused.
  struct Refusal {
    var host: String
    var port: Int
    var flaws: UInt32
  }

  private static let library = Result { () throws(Failure) in try TLSLibrary() }
  private static let refusals = Monitor<[Refusal]>([])
  private static let trusted = Monitor<String?>(nil)
  private static let most = 100

  /// Notes from now on which certificates are refused. Throws where nothing can be encrypted.
  package static func watch() throws(Failure) { try watched.get() }
  private static let watched = Result { () throws(Failure) in
    unsafe try library.get().watch(hear)
  }

  /// Has this process trust the certificates of a file, in the place of those that the system does.
  package static func trust(file path: String) throws(Failure) {
    let library = try library.get()
    guard trusted.withLock({ $0 }) != path else { return }
    try library.trust(file: path)
    trusted.withLock { $0 = path }
  }

  /// Takes what was wrong with the certificate of a server that was refused last, which is forgotten;
  /// `nil` where none was. Any port of the host counts where none is given.
  package static func takeFlaw(host: String, port: Int?) -> Flaw? {
    refusals.withLock { refusals in
      let own = { (refusal: Refusal) in
        refusal.host == host && (port == nil || refusal.port == port)
      }
      let last = refusals.last(where: own)
      refusals.removeAll(where: own)
      return last.map { last in
        Flaw.allCases.first { last.flaws & $0.rawValue != 0 } ?? .other
      }
    }
  }

  /// Is called wherever GLib asks the application whether it takes a certificate nevertheless.
  private static let hear: GSignalEmissionHook = { _, count, values, _ in
    guard count == 3, let values = unsafe values, let library = try? library.get(),
      let server = unsafe library.server(of: g_value_get_object(values))
    else { return 1 }
    let flaws = unsafe g_value_get_flags(values + 2)
    refusals.withLock { refusals in
      refusals.append(Refusal(host: server.host, port: server.port, flaws: flaws))
      if refusals.count > most { refusals.removeFirst() }
    }
    return 1
  }
}
