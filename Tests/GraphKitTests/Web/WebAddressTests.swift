import GraphKitSystem
import TestTools
import Testing

@Suite(.inTurn) struct WebAddressTests {
  @Test(arguments: [
    ("https://anna:secret@a.org/b.mp4?token=1#t=2", "https://a.org/b.mp4?…"),
    ("http://a.org:8080/b/c.mp4", "http://a.org:8080/b/c.mp4"),
    ("https://a.org?x", "https://a.org?…"), ("https://u@p@a.org", "https://a.org"),
    ("http://a.org/b@c.mp4?", "http://a.org/b@c.mp4?…"), ("a@b?.mp4", "a@b?.mp4"),
    ("http://", "http://"), ("https://a.org/#me@b", "https://a.org/"),
  ]) func messagesHaveNoSecrets(_ address: String, _ shown: String) {
    #expect(address.withoutSecrets == shown)
  }

  @Test(arguments: [
    ("HTTP://a", true), ("https://", true), ("http:/a", false), ("./http://a", false), ("", false),
  ]) func addressesAreTold(_ path: String, _ isAddress: Bool) {
    #expect(path.isWebAddress == isAddress)
  }

  @Test(arguments: [
    ("file:///a%20b%2", "/a b%2"), ("file://localhost/a", "/a"), ("file://host/a", "file://host/a"),
    ("FILE:///%41", "/A"), ("a%20b", "a%20b"),
  ]) func addressesOfFilesLeadToThem(_ address: String, _ path: String) {
    #expect(address.localPath == path)
  }
}
