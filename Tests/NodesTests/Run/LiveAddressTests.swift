import GraphKit
import TestTools
import Testing

@testable import Nodes

/// What messages show of the address of a live stream.
@Suite(.inTurn) struct LiveAddressTests {
  @Test(arguments: [
    ("rtsp://user:secret@host/a", "rtsp://user:secret@host/a", "rtsp://host/a"),
    // As elements get it.
    ("rtsp://user:secret@host/a", "rtspt://user:secret@host/a", "rtspt://host/a"),
    ("srt://host:9000?passphrase=secret", "srt://host:9000?passphrase=secret", "srt://host:9000"),
    ("udp://:5004", "udp://0.0.0.0:5004", "udp://0.0.0.0:5004"),
  ])
  func secretsAreLeftOut(_ uri: String, _ named: String, _ shown: String) {
    let message = LiveAddress(uri: uri).withoutSecrets("`\(named)` can't be opened")
    #expect(message == "`\(shown)` can't be opened")
  }

  /// Where the connection is to be encrypted the streams come over it: datagrams wouldn't be.
  @Test func encryptedStreamsComeOverTheConnection() {
    for transport in [LiveStream.Transport.auto, .tcp] {
      let element = LiveAddress(uri: "RTSPS://host/a").decodingReceiver(transport, [])
      #expect(element.properties["uri"] == "rtspst://host/a".propertyText)
    }
  }

  @Test(
    arguments: [
      ("rtsps://user:secret@Host:322/a", "host", 322), ("https://host/a:1", "host", nil),
      ("rtmps://[::1]:443/a/b", "::1", 443),
    ] as [(String, String, Int?)])
  func theServerOfACertificateIsThatOfTheAddress(_ uri: String, _ host: String, _ port: Int?) {
    let found = LiveAddress(uri: uri).certificateProblem(in: Refusing())
    #expect(found?.message == "\(host) \(port.map(String.init) ?? "")")
    #expect(LiveAddress(uri: "rtsp://host/a").certificateProblem(in: Refusing()) == nil)
  }

  /// A machine that trusts no certificate, and says of which server it was asked.
  private struct Refusing: Environment {
    func isInstalled(_ element: ElementSpec) -> Bool { true }
    func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
      throw NodeError("nothing", remedy: "")
    }
    func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] { [] }
    func devices(_ kind: DeviceKind) -> [Device] { [] }
    func outputPlace(_ path: String) -> OutputPlace { .free }
    func certificateProblem(host: String, port: Int?) -> NodeError? {
      NodeError("\(host) \(port.map(String.init) ?? "")", remedy: "")
    }
  }
}
