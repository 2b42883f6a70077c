import Foundation
import GStreamer
import GraphTesting
import GraphKitSystem
import TestTools
import Testing

@testable import GraphKit

@Suite("Pools", .inTurn)
struct PoolTests {
  private let stereo = AudioFormat(.f32, sampleRate: 48_000, channels: 2)

  private func address(_ sample: borrowing SampleBuffer) -> UInt {
    BufferMap(sample.buffer)?.address ?? 0
  }

  @Test("what is let go is used again: a thousand blocks, one memory")
  func reuse() throws {
    let pool = try BlockPool(stereo, frameCount: 1024)
    var addresses: Set<UInt> = []
    for number in 0..<1000 {
      var block = try pool.take()
      #expect(block.byteCount == 8192 && block.frameCount == 1024)
      #expect(block.presentationTime == .invalid)
      block.presentationTime = MediaTime(frames: number * 1024, at: 48_000)
      addresses.insert(address(block))
    }
    #expect(addresses.count == 1)
  }

  @Test(
    "what can't be had is refused at once",
    arguments: [PoolPolicy.refuse(limit: 0), .wait(limit: -1)])
  func impossible(policy: PoolPolicy) {
    #expect(throws: NodeError.self) { try BlockPool(stereo, frameCount: 1, policy: policy) }
    let small = VideoFormat(.bgra, width: 4, height: 4)
    #expect(throws: NodeError.self) { try PixelBufferPool(small, policy: policy) }
    let huge = VideoFormat(.bgra, width: 65_536, height: 65_536)
    #expect(throws: NodeError.self) { try PixelBufferPool(huge) }
  }

  @Test("a shared block isn't used again before its last reference is gone")
  func shared() throws {
    let pool = try BlockPool(stereo, frameCount: 16)
    let first = try pool.take()
    let place = address(first)
    let kept = first.share()
    _ = consume first
    let second = try pool.take()
    #expect(address(second) != place)
    #expect(address(kept) == place)
  }

  @Test("a pool with a limit refuses beyond it, and gives again what comes back")
  func refusing() throws {
    let video = VideoFormat(.i420, width: 64, height: 48)
    let pool = try PixelBufferPool(video, policy: .refuse(limit: 2))
    let first = try pool.take()
    #expect(first.byteCount == video.frameSize)
    do {
      let second = try pool.take()
      #expect(address(second) != address(first))
      let error = #expect(throws: NodeError.self) { _ = try pool.take().byteCount }
      #expect(error?.message == "all 2 samples of the pool are taken")
    }
    #expect(try pool.take().byteCount == video.frameSize)
  }

  @Test("a patient pool waits until a block comes back")
  func waiting() throws {
    let pool = try BlockPool(stereo, frameCount: 16, policy: .wait(limit: 1))
    let box = CollectedSample(try pool.take())
    let taken = Monitor<CollectedSample?>(box)
    let place = address(box.sample)
    let thread = StreamingThread(name: "other", running: Nothing()) { _ in
      taken.withLock { $0 = nil }
    }
    _ = consume box
    let next = try pool.take()
    thread.join()
    #expect(address(next) == place)
  }

  @Test("blocks outlive their pool, and writing to one leaves the others alone")
  func outlive() throws {
    var kept: SampleBuffer
    do {
      let pool = try BlockPool(stereo, frameCount: 2)
      kept = try pool.take()
    }
    kept.withMutableBytes { span in for index in span.indices { span[index] = 7 } }
    #expect(CollectedSample(kept).bytes == Array(repeating: 7, count: 16))
  }

  @Test("a block that was cut comes back whole")
  func trimmed() throws {
    let pool = try BlockPool(stereo, frameCount: 16)
    do {
      var block = try pool.take()
      block.trim(offset: 8, byteCount: 8)
      #expect(block.frameCount == 1)
    }
    #expect(try pool.take().frameCount == 16)
  }

  @Test("a size that nothing can hold is an error", arguments: [0, -1, Int.max, 1 << 40])
  func sizes(frames: Int) {
    #expect(throws: NodeError.self) { try BlockPool(stereo, frameCount: frames) }
  }

  @Test("a pool leaves nothing open when it is gone")
  func descriptors() throws {
    let open = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    let before = try open()
    // Each holds a pair of sockets while it is there; other tests open a few hundred at most.
    for _ in 0..<1_000 { _ = try BlockPool(stereo, frameCount: 16).take() }
    #expect(try open() - before < 1_000)
  }

  private final class Nothing {}
}
