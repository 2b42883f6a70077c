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
}
