import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

/// Which frame is that of a time, where frames begin between two nanoseconds.
@Suite(.inTurn) struct ImageTimeTests {
  private let scratch: Scratch
  private static let count = 120

  init() throws { scratch = try Scratch() }

  /// A movie of some frames a second, which have their number as their brightness.
  private struct Movie {
    let generator: AssetImageGenerator
    let rate: Rational

    func time(_ frame: Int) -> MediaTime { MediaTime(frame: frame, at: rate) }
  }

  private func movie(
    _ numerator: Int, _ denominator: Int, _ kind: String = "mp4"
  ) async throws -> Movie {
    let path = try scratch.media(
      "\(numerator).\(kind)",
      "-f lavfi -i color=s=64x48:r=\(numerator)/\(denominator),format=yuv420p,"
        + "geq=lum=16+N:cb=128:cr=128 -frames:v \(Self.count) -c:v libx264 -crf 4 -g 40 -bf 3")
    var generator = try AssetImageGenerator(try await MediaAsset(path: path))
    generator.pixelFormat = .i420
    #expect(try PaintedFrame.numbers(of: path) == Array(0..<Self.count))
    return Movie(
      generator: generator, rate: try #require(Rational(numerator, over: denominator)))
  }

  /// Which frames the images of some times are.
  private func numbers(_ movie: Movie, _ times: [MediaTime]) async throws -> [Int] {
    var found: [Int] = []
    for try await image in movie.generator.images(for: times) {
      #expect(image.requestedTime == times[found.count])
      found.append(image.frame.withBytes { Int($0[0]) } - 16)
    }
    return found
  }

  /// In Matroska files they are rounded to milliseconds.
  @Test(
    arguments: [(30, 1), (60, 1), (30_000, 1_001), (24_000, 1_001), (25, 1)], ["mp4", "mkv"])
  func framesAreThereAtTheirOwnTimes(rate: (Int, Int), kind: String) async throws {
    let movie = try await movie(rate.0, rate.1, kind)
    let all = Array(0..<Self.count)
    #expect(try await numbers(movie, all.map(movie.time)) == all)
    #expect(try await numbers(movie, [0, 2, 7, 119].map(movie.time)) == [0, 2, 7, 119])
    #expect(try await numbers(movie, [1, 2, 61].map(movie.time)) == [1, 2, 61])
    let (later, earlier) = (MediaTime.seconds(0.001), MediaTime.seconds(0.000_001))
    #expect(try await numbers(movie, all.map { movie.time($0) + later }) == all)
    #expect(
      try await numbers(movie, all.dropFirst().map { movie.time($0) - earlier })
        == Array(all.dropLast()))
  }

  @Test func theTimesOfAReaderAreThoseOfTheFrames() async throws {
    let movie = try await movie(30, 1)
    let track = movie.generator.asset.tracks[0]
    let reader = try AssetReader(movie.generator.asset)
    let frames = try reader.outputProvider(for: .video(track))
    try reader.start()
    var times: [MediaTime] = []
    for try await frame in frames { times.append(frame.presentationTime) }
    #expect(try await numbers(movie, times) == Array(0..<Self.count))
    #expect(try await numbers(movie, Array(times.dropFirst())) == Array(1..<Self.count))
  }

  @Test(arguments: [(30, 1), (30_000, 1_001)])
  func actualTimesAreExact(numerator: Int, denominator: Int) async throws {
    let movie = try await movie(numerator, denominator)
    for frame in [7, 31] {
      let image = try await movie.generator.image(at: movie.time(frame))
      #expect(image.actualTime == movie.time(frame), "\(image.actualTime)")
      #expect(abs(image.frame.presentationTime.seconds - image.actualTime.seconds) < 2e-9)
    }
    let between = (0..<9).map { movie.time($0) + MediaTime.seconds(0.005) }
    var actual: [MediaTime] = []
    for try await image in movie.generator.images(for: [.zero] + between) {
      actual.append(image.actualTime)
    }
    #expect(actual == [.zero] + (0..<9).map(movie.time))
  }

  // MARK: When images are read

  @Test func imagesAreReadAsTheyAreTaken() async throws {
    let movie = try await movie(8, 1)
    let asset = movie.generator.asset
    // The second is of another pass.
    let times = [MediaTime.zero, MediaTime(value: 14, timescale: 1)]
    var images = movie.generator.images(for: times).makeAsyncIterator()
    #expect(try await images.next()?.requestedTime == .zero)
    // Meanwhile all could be read.
    for try await image in movie.generator.images(for: times) { _ = image }
    for try await image in movie.generator.images(for: times) { _ = image }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: asset.path)
    var error: (any Error)?
    do { _ = try await images.next() } catch let caught { error = caught }
    #expect("\(error as Any)".contains("has changed"))
    // Once more, there is nothing.
    #expect(try await images.next() == nil)
  }

  @Test func aCancelledTaskGetsNoMoreImages() async throws {
    let movie = try await movie(30, 1)
    let times = (0..<Self.count).map(movie.time)
    let (taken, take) = AsyncStream<Int>.makeStream()
    let task = Task {
      var count = 0
      for try await image in movie.generator.images(for: times) {
        #expect(image.requestedTime == times[count])
        count += 1
        take.yield(count)
        while count == 3, !Task.isCancelled { await Task.yield() }
      }
      return count
    }
    for await count in taken where count == 3 { break }
    task.cancel()
    switch await task.result {
    case .success(let count): #expect(count == 3)
    case .failure(let error): #expect(error is CancellationError)
    }
  }

  @Test(arguments: [(0, 0), (-5, 10), (10, 0)])
  func sizesOfNothingAreRefused(width: Int, height: Int) async throws {
    var generator = try await movie(25, 1).generator
    generator.maximumSize = (width, height)
    let error = await #expect(throws: NodeError.self) { try await generator.image(at: .zero) }
    #expect(error?.message.contains("\(width) x \(height)") == true)
    generator.maximumSize = (1, 1)
    let least = try await generator.image(at: .zero)
    guard case .video(let video) = least.frame.format.format else {
      Issue.record("\(least.frame.format)")
      return
    }
    #expect((video.width, video.height) == (2, 2))
  }
}
