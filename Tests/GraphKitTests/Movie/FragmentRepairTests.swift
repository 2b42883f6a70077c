import Testing

@testable import GraphKit

/// A fragment as `mp4mux` 1.22 wrote it at byte 1,637,641 of a file: the last of six pictures is as
/// large as the first, 26,996 bytes, and so its size is left out.
@Suite struct FragmentRepairTests {
  static let hex = """
    000001f46d6f6f66000000106d6668640000000000000009000000dc7472616600000020746668640000
    002900000001000000000016962400000064000100c0000000107466647400000000000014500000001c
    7472756e00000a01000000010000012100006974000000c80000001c7472756e00000a01000000010000
    6b8c000062f5000000c80000001c7472756e00000a01000000010000d06c00006267000000c80000001c
    7472756e00000a0100000001000133ea00006282000000c80000001c7472756e00000a01000000010001
    9876000062f8000000c8000000187472756e00000801000000010001fd71000000c80000010074726166
    0000001c7466686400000021000000020000000000169624000000c00000001074666474000000000001
    44010000001c7472756e00000301000000010000001000000400000001110000001c7472756e00000301
    0000000100006a9500000400000000f7000000287472756e00000305000000020000ce81000000c00000
    04000000010200000400000000e90000001c7472756e0000030100000001000132d30000040000000117
    000000287472756e00000305000000020001966c000000c000000400000000f600000400000001140000
    00287472756e00000305000000020001fb6e000000c000000400000000ed000004000000011600000008
    """

  private var fragment: MovieBytes {
    let digits = Self.hex.compactMap(\.hexDigitValue)
    return MovieBytes(
      bytes: stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      })
  }

  private func parts(_ data: MovieBytes) throws -> (header: MovieBox, runs: [MovieBox]) {
    let whole = try #require(data.box(at: 0, limit: data.bytes.count))
    let track = try #require(data.first("traf", in: whole))
    let header = try #require(data.first("tfhd", in: track))
    return (header, data.boxes(of: track).filter { $0.type == "trun" })
  }

  @Test func theHeaderGivesTheSizeThatIsLeftOut() throws {
    var data = fragment
    data.repairFragment()
    #expect(data.bytes.count == fragment.bytes.count)
    let (header, runs) = try parts(data)
    // Sample description, duration, size and flags; offsets count from the fragment.
    #expect(data.u32(header.content) == 0x02_003a)
    #expect(data.u32(header.content + 8) == 1)
    #expect(data.u32(header.content + 12) == 100)
    #expect(data.u32(header.content + 16) == 26_996)
    #expect(data.u32(header.content + 20) == 0x1_00c0)
    #expect(runs.count == 6)
    #expect(data.s32(runs[0].content + 8) == 1_480_228 + 0x121 - 1_637_641)
    #expect(data.s32(runs[5].content + 8) == -26_996)
  }

  @Test func whatIsRightIsLeftAlone() throws {
    var data = fragment
    data.repairFragment()
    let once = data.bytes
    data.repairFragment()
    data.hideTracksWithoutFormat()
    #expect(data.bytes == once)
  }

  @Test func aFragmentThatIsCutShortIsNoTrap() {
    for count in 0..<fragment.bytes.count {
      var data = MovieBytes(bytes: Array(fragment.bytes.prefix(count)))
      data.repairFragment()
      data.hideTracksWithoutFormat()
      #expect(data.bytes.count == count)
    }
  }
}
