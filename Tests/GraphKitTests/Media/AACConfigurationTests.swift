import TestTools
import Testing

@testable import Containers
@testable import GraphKit

@Suite(.inTurn) struct AACConfigurationTests {
  /// A header, what the stream states, and whether decoding keeps the rate and the channels.
  static let cases: [(header: String?, rate: Int, channels: Int, sure: (Bool, Bool))] = [
    ("1190", 48_000, 2, (true, true)),  // low complexity, nothing said, too fast to be doubled
    ("1390", 22_050, 2, (false, true)),  // the same, slow enough
    ("138856e500", 22_050, 1, (true, true)),  // an extension that says no
    ("138856e580", 22_050, 1, (false, false)),  // one that says yes
    ("2b8a08", 44_100, 1, (false, false)),  // spectral band replication from the start
    (nil, 22_050, 1, (false, false)), (nil, 44_100, 1, (true, true)),
    ("", 8_000, 2, (false, true)), ("zz", 8_000, 1, (false, false)),
  ]

  @Test(arguments: cases.indices) func whatDecodingKeeps(_ index: Int) {
    let (header, rate, channels, sure) = Self.cases[index]
    let found = AACConfiguration(header: header, rate: rate, channels: channels)
    #expect(found.isRateSure == sure.0 && found.isChannelCountSure == sure.1)
  }
}
