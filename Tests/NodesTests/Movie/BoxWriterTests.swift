import TestTools
import Testing

@testable import Containers

/// Boxes that go to a file while they are written, and the numbers of their tables.
@Suite(.inTurn) struct BoxWriterTests {
  private final class Output {
    var bytes: [UInt8] = []
    var calls = 0

    func write(_ new: Span<UInt8>, at offset: Int) {
      calls += 1
      bytes += Array(repeating: 0, count: max(0, offset + new.count - bytes.count))
      for index in new.indices { bytes[offset + index] = new[index] }
    }
  }

  private struct Full: Error {}

  /// A box of two megabytes of numbers, between others.
  private func write(to writer: inout BoxWriter) {
    writer.box("moov") { writer in
      writer.box("free") { $0.writeZeros(5) }
      writer.fullBox("stsz") { writer in
        writer.write(0, bytes: 4)
        let start = writer.count - 4
        for number in 0..<500_000 { writer.write(number, bytes: 4) }
        writer.replace(at: start, with: 500_000)
      }
      writer.box("udta") { $0.write("the end") }
    }
  }

  @Test func aFileGetsTheBytesThatMemoryWould() throws {
    var whole = BoxWriter()
    write(to: &whole)
    let output = Output()
    var writer = BoxWriter { output.write($0, at: $1) }
    write(to: &writer)
    #expect(writer.count == whole.count && writer.bytes.count < 1 << 17)
    try writer.finish()
    #expect(output.bytes == whole.bytes && output.calls > 10)
  }

  @Test func theFirstErrorIsThrownAtTheEnd() {
    var calls = 0
    var writer = BoxWriter { _, _ in
      calls += 1
      if calls == 3 { throw Full() }
    }
    write(to: &writer)
    #expect(throws: Full.self) { try writer.finish() }
    #expect(calls == 3)
  }

  @Test func packedNumbersComeBackInTheirOrder() {
    let numbers = (0..<60_000).map { $0 * ($0 % 3 == 0 ? -70_001 : 129) }
    var packed = PackedIntegers()
    for number in numbers { packed.append(number) }
    var found: [Int] = []
    packed.forEach { found.append($0) }
    #expect(found == numbers && packed.count == numbers.count)
  }
}
