import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct XGreetingTests {
  /// A welcome with a vendor of five letters, one pixel format and one screen.
  private var welcome: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32 + 8 + 8 + 40)
    (bytes[16], bytes[20], bytes[21]) = (5, 1, 1)
    (bytes[48 + 20], bytes[48 + 21]) = (0x80, 0x07)
    (bytes[48 + 22], bytes[48 + 23]) = (0x38, 0x04)
    return bytes
  }

  @Test func aWelcomeSaysHowLargeTheScreenIs() {
    #expect(XGreeting.screenSize(in: welcome) == ScreenSize(width: 1920, height: 1080))
  }

  @Test func oneThatIsCutShortSaysNothing() {
    for count in 0..<72 { #expect(XGreeting.screenSize(in: Array(welcome.prefix(count))) == nil) }
  }

  @Test func theKeyIsThatOfTheDisplay() {
    func text(_ bytes: [UInt8]) -> [UInt8] { [0, UInt8(bytes.count)] + bytes }
    func entry(_ display: String, _ key: [UInt8]) -> [UInt8] {
      [1, 0] + text(Array("host".utf8)) + text(Array(display.utf8)) + text(XAuthority.method)
        + text(key)
    }
    let file = entry("0", [1, 2, 3]) + entry("7", [4, 5, 6])
    #expect(XAuthority.cookie(ofDisplay: Array("7".utf8), in: file) == [4, 5, 6])
    #expect(XAuthority.cookie(ofDisplay: Array("9".utf8), in: file) == [])
    for count in file.indices {
      _ = XAuthority.cookie(ofDisplay: Array("9".utf8), in: Array(file.prefix(count)))
    }
    #expect(XGreeting.request([4, 5, 6]).count == 12 + 20 + 4)
  }
}
