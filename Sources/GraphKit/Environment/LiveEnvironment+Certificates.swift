import GStreamer
import GraphKitSystem
import Media

extension LiveEnvironment {
  /// Has elements trust the certificates of the file that `CURL_CA_BUNDLE` names, or else
  /// `SSL_CERT_FILE`, as `curl` does; without them, those that the system trusts.
  public func prepareSecureConnections() throws(NodeError) {
    do throws(Certificates.Failure) { try Certificates.watch() } catch {
      throw NodeError(
        "connections can't be encrypted on this machine", remedy: "install glib-networking",
        key: "uri")
    }
    let names = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]
    guard let name = names.first(where: { Machine.variable($0) != nil }),
      let path = Machine.variable(name)
    else { return }
    do throws(Certificates.Failure) {
      let folder = path.hasPrefix("/") ? nil : Machine.workingFolder
      try Certificates.trust(file: folder.map { "\($0)/\(path)" } ?? path)
    } catch {
      var reason = ""
      if case .unreadable(let words) = error { reason = ": \(words.trimmingFullStop)" }
      throw NodeError(
        "the certificates of `\(path)`, which \(name) names, can't be read\(reason)",
        remedy: "name a file of certificates (PEM) that are trusted, or unset \(name)", key: "uri")
    }
  }

  /// Why the certificate of a server was refused since this was asked last.
  public func certificateProblem(host: String, port: Int?) -> NodeError? {
    guard let flaw = Certificates.takeFlaw(host: host, port: port) else { return nil }
    let (words, remedy) = Self.explanation(of: flaw)
    return NodeError("its certificate isn't trusted: \(words)", remedy: remedy, key: "uri")
  }

  private static func explanation(of flaw: Certificates.Flaw) -> (words: String, remedy: String) {
    let renewal = "have the server's certificate renewed"
    return switch flaw {
    case .revoked: ("it was revoked", renewal)
    case .wrongHost: ("it is for another host", "write the name that it is for into the address")
    case .expired: ("it has expired", renewal)
    case .notYetValid: ("it isn't valid yet", "check the clock of this machine")
    case .unknownAuthority:
      (
        "this machine doesn't know the authority that signed it",
        "have CURL_CA_BUNDLE name a file (PEM) with the authority's certificate"
      )
    case .insecure: ("it is signed by an insecure algorithm", renewal)
    case .other: ("it can't be verified", renewal)
    }
  }
}
