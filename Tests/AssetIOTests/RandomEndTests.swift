import AssetIO
import Foundation
import GraphKit
import GraphKitSystem
import Nodes
import TestTools
import Testing

/// Readers and writers that are cancelled, finished or dropped at random moments, many in one process.
@Suite(.inTurn) struct RandomEndTests {
  /// `GRAPHKIT_RANDOM_ENDS` says how many, and `GRAPHKIT_RANDOM_SEED` which.
  @Test func eachLetsGoOfAllThatItHad() async {
    // What other tests have open would count in their process.
    await #expect(processExitsWith: .success) {
      let words = ProcessInfo.processInfo.environment
      let ends = try await RandomEnds(seed: words["GRAPHKIT_RANDOM_SEED"].flatMap(UInt64.init) ?? 1)
      // What the process keeps from then on is there after some of each kind.
      await ends.run(0..<16)
      try await ends.waitUntilOver()
      let before = try Holdings()
      let count = words["GRAPHKIT_RANDOM_ENDS"].flatMap { Int($0) } ?? 10
      await ends.run(16..<16 + count)
      try await ends.waitUntilOver()
      let after = try Holdings()
      #expect(after.files.count <= before.files.count, "\(before) \(after)")
      try ends.checkFiles()
    }
  }
}

/// What a process has: the names of its threads that aren't of tasks, and its open files.
private struct Holdings {
  let threads: [String]
  let files: [String]

  init() throws {
    let manager = FileManager.default
    threads = try manager.contentsOfDirectory(atPath: "/proc/self/task").compactMap { task in
      (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }.filter { !$0.hasSuffix("qos") && !$0.hasSuffix("qos.overcommit") }
    // Tasks that wait for a time have timers.
    files = try manager.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0 != "anon_inode:[timerfd]" }
  }

  /// The threads that GLib keeps for other tasks, each for some seconds, under the name of its last.
  private static let kept = 8

  /// Whether no run has threads: those which control it have these names.
  var areOfNoRun: Bool {
    !threads.contains { ["pipeline", "state", "flush"].contains($0) }
      && threads.count <= 1 + Self.kept
  }
}

/// A reference that holds nothing.
private struct Weak: Sendable { weak let object: (AnyObject & Sendable)? }

/// Readers and writers, each with its number's random end.
private final class RandomEnds: Sendable {
  private enum Ending: CaseIterable {
    /// Before it starts.
    case cancelledFirst
    /// Between two samples.
    case cancelled
    /// By another task, while samples are waited for.
    case cancelledMeanwhile
    case finished
    /// Its last reference is gone.
    case dropped
  }

  private let scratch: Scratch
  private let asset: MediaAsset
  private let seed: UInt64
  private let objects = Recorded<Weak>()
  private let dropped = Recorded<String>()
  private let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
  private let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  init(seed: UInt64) async throws {
    scratch = try Scratch()
    self.seed = seed
    let path = try scratch.media(
      "in.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=4 -f lavfi -i sine=r=48000:d=4 -c:v libx264 -c:a aac")
    asset = try await MediaAsset(path: path)
  }

  /// Runs those of some numbers, four at a time.
  func run(_ numbers: Range<Int>) async {
    await withTaskGroup(of: Void.self) { group in
      for (index, number) in numbers.enumerated() {
        if index >= 4 { await group.next() }
        group.addTask { await self.run(number) }
      }
    }
  }

  private func run(_ number: Int) async {
    var numbers = SeededNumbers(seed: seed &* 1_000_003 &+ UInt64(number))
    // The first few are much alike.
    for _ in 0..<8 { _ = numbers.next() }
    let ending = Ending.allCases[Int.random(in: 0..<Ending.allCases.count, using: &numbers)]
    let count = Int.random(in: 0..<60, using: &numbers)
    let kind = Int.random(in: 0..<6, using: &numbers)
    do {
      if kind < 3 {
        try await read(kind, ending, count)
      } else {
        try await write(number, hasVideo: kind > 3, ending, count)
      }
    } catch {
      Issue.record("number \(number), kind \(kind), \(ending) after \(count): \(error)")
    }
  }

  // MARK: Readers

  private func read(_ kind: Int, _ ending: Ending, _ count: Int) async throws {
    let reader = try AssetReader(asset)
    let track = asset.tracks(kind == 1 ? .audio : .video)[0]
    let outputs: [AssetReaderOutput] = [
      .video(track, .init(.i420)), .audio(track, .init(.f32)), .stored(track),
    ]
    let provider = try reader.outputProvider(for: outputs[kind])
    objects.append(Weak(object: reader))
    objects.append(Weak(object: provider))
    if ending == .cancelledFirst { reader.cancelReading() }
    do {
      try reader.start()
    } catch {
      #expect(ending == .cancelledFirst, "\(error)")
      return
    }
    let canceller = ending == .cancelledMeanwhile ? Task { reader.cancelReading() } : nil
    do {
      for _ in 0..<count where try await provider.next() == nil { break }
      if ending == .finished { while try await provider.next() != nil {} }
    } catch {
      #expect(error is CancellationError && canceller != nil, "\(error)")
    }
    await canceller?.value
    if ending == .cancelled { reader.cancelReading() }
    let wanted: [AssetReader.Status] =
      switch ending {
      case .finished: [.completed]
      case .dropped: [.reading, .completed]
      default: [.cancelled, .completed]
      }
    #expect(wanted.contains(reader.status), "\(ending) \(reader.status)")
  }

  // MARK: Writers

  private func write(
    _ number: Int, hasVideo: Bool, _ ending: Ending, _ count: Int
  ) async throws {
    let path = scratch.path("\(number).mp4")
    let writer = AssetWriter(path: path)
    objects.append(Weak(object: writer))
    let blocks = try writer.inputReceiver(for: .audio(sound))
    let frames = hasVideo ? try writer.inputReceiver(for: .video(picture)) : nil
    if ending == .cancelledFirst {
      await writer.cancelWriting()
      return #expect(writer.status == .cancelled && !FileManager.default.fileExists(atPath: path))
    }
    try writer.start()
    try writer.startSession(at: .zero)
    let canceller = ending == .cancelledMeanwhile ? Task { await writer.cancelWriting() } : nil
    do {
      for number in 0..<count {
        if number.isMultiple(of: 2) { try await frames?.append(try frame(number / 2)) }
        try await blocks.append(try block(number))
      }
    } catch {
      #expect(canceller != nil, "\(error)")
    }
    await canceller?.value
    try await end(writer, count > 0, ending, path)
  }

  private func end(
    _ writer: AssetWriter, _ hasSamples: Bool, _ ending: Ending, _ path: String
  ) async throws {
    switch ending {
    case .finished where !hasSamples:
      await #expect(throws: RunError.self) { try await writer.finishWriting() }
      #expect(writer.status == .failed && writer.error != nil)
    case .finished:
      try await writer.finishWriting()
      #expect(writer.status == .completed && isWhole(path))
    case .dropped: dropped.append(path)
    default:
      await writer.cancelWriting()
      #expect(writer.status == .cancelled, "\(writer.status)")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  private func block(_ number: Int) throws -> SampleBuffer {
    try soundBlock(number, [Int16](repeating: Int16(number), count: 960), sound)
  }

  private func frame(_ number: Int) throws -> SampleBuffer {
    var frame = SampleBuffer(
      bytes: [UInt8](repeating: UInt8(16 + number), count: 64 * 48 * 3 / 2),
      format: try FormatDescription(.video(picture)))
    frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
    frame.duration = MediaTime(value: 1, timescale: 25)
    return frame
  }

  // MARK: What is left

  /// Returns once nothing of any is there: neither it nor threads of its run, but for those that are
  /// kept for all.
  func waitUntilOver() async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try objects.all.contains(where: { $0.object != nil }) || !Holdings().areOfNoRun {
      guard ContinuousClock.now < deadline else {
        let left = objects.all.compactMap(\.object)
        Issue.record("left: \(left), \(try Holdings().threads)")
        return
      }
      await Task.yield()
    }
  }

  /// A writer that is dropped finishes what it had: there is a whole movie, or none.
  func checkFiles() throws {
    for path in dropped.all where FileManager.default.fileExists(atPath: path) {
      #expect(isWhole(path), "\(path)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path(""))
    #expect(names.allSatisfy { $0.hasSuffix(".mp4") }, "\(names)")
  }

  private func isWhole(_ path: String) -> Bool {
    guard let movie = try? MovieReader.read(path) else { return false }
    return !movie.isFragmented
  }
}

/// What tasks have noted, in any order. The thread sanitizer doesn't see that `Mutex` locks.
private final class Recorded<Element: Sendable>: Sendable {
  private let elements = Monitor<[Element]>([])
  func append(_ element: Element) { elements.withLock { $0.append(element) } }
  var all: [Element] { elements.withLock { $0 } }
}
