import TestTools
import Testing

@testable import GraphKit

/// The seek of a file's reader, in streams that stop.
@Suite(.inTurn) struct RangeSeekTests {
  /// The thread that seeks is the one that stops the stream, and waits for the stream's own then.
  @Test func aStreamThatHasStoppedWaitsForNoSeek() {
    let seek = RangeSeek(on: StateThread()) { Issue.record("nothing was flushed") }
    seek.setActive(false)
    #expect(seek.move(to: 5) == .isStopped)
    seek.setActive(true)
    // Without a reader.
    #expect(seek.move(to: 5) == .isRefused)
  }
}
