import AssetIO
import Foundation
import GraphKit
import Nodes
import Testing

@testable import PacketMuxer

@Suite struct PacketMuxerTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/\(UUID())"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let inputs = ["testsrc2=s=320x180:r=30000/1001:d=4", "sine=f=441:d=3:r=44100"].flatMap {
      ["-f", "lavfi", "-i", $0]
    }
    let codecs = ["-c:v", "libx264", "-bf", "3", "-g", "40", "-c:a", "aac"]
    _ = try run("ffmpeg", inputs + codecs + ["\(folder)/in.mp4"])
  }

  private func run(_ name: String, _ arguments: [String]) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(name)")
    process.arguments = ["-v", "error"] + arguments
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// The packets of a file with their times and bytes, as ffprobe finds them, by their stream.
  private func packets(_ path: String) throws -> [Substring] {
    let entries = "packet=stream_index,pts_time,dts_time,duration_time,flags,data_hash"
    let words = ["-show_data_hash", "md5", "-show_entries", entries, "-of", "csv=p=0", path]
    return try run("ffprobe", words).split(separator: "\n").sorted()
  }

  /// The same job as `graphs/remux.json`.
  private func remux(_ source: String, to path: String) async throws {
    var builder = GraphBuilder(catalog: .builtIn)
    let file = builder.add("file", FileSource()) { $0.path = source }
    let movie = builder.add("movie", MP4Sink()) { $0.path = path }
    builder.connect(file.video, to: movie.video)
    builder.connect(file.audio, to: movie.audio)
    let machine = LiveEnvironment()
    let pipeline = try Pipeline(Plan(builder.build(in: machine)), environment: machine)
    _ = try await pipeline.run()
  }

  @Test func theMovieIsThatOfTheGraph() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let source = "\(folder)/in.mp4"
    let report = try await Main.mux(video: source, audio: source, to: "\(folder)/a.mp4")
    #expect(report.unbalanced == [])
    try await remux(source, to: "\(folder)/b.mp4")
    let (muxed, copied) = (try packets("\(folder)/a.mp4"), try packets("\(folder)/b.mp4"))
    // The first frame that a reader hands out has its parameter sets in front.
    let different = zip(muxed, copied).filter { $0 != $1 }.map { $0.0.prefix { $0 != "M" } }
    #expect(muxed.count > 240 && muxed.count == copied.count)
    #expect(different == ["0,0.000000,-0.066733,0.033367,K_,"])
    for stream in ["0:v", "0:a"] {
      func content(_ path: String) throws -> String {
        try run("ffmpeg", ["-i", path, "-map", stream, "-f", "framemd5", "-"])
      }
      #expect(try content("\(folder)/a.mp4") == content("\(folder)/b.mp4"))
    }
  }

  @Test func aFullQueueAndAStoppedMuxerSaySo() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let asset = try await MediaAsset(path: "\(folder)/in.mp4")
    let reader = try AssetReader(asset)
    let firsts = try asset.tracks.map { try reader.outputProvider(for: .stored($0)) }
    try reader.start()
    let video = try #require(try await firsts[0].next())
    let audio = try #require(try await firsts[1].next())
    let path = "\(folder)/c.mp4"
    let muxer = try PacketMuxer(path: path, video: video.format, audio: audio.format) { error in
      Issue.record(error)
    }
    await #expect(throws: PacketMuxer.Refusal.isNotRunning) {
      try await muxer.append(video, to: .video)
    }
    try await muxer.start()
    await #expect(throws: PacketMuxer.Refusal.isFull(.video)) {
      for _ in 0...PacketMuxer.capacity { try await muxer.append(video, to: .video) }
    }
    await muxer.cancel()
    #expect(!FileManager.default.fileExists(atPath: path))
    await #expect(throws: PacketMuxer.Refusal.isNotRunning) {
      try await muxer.append(video, to: .video)
    }
  }

  @Test func whatCannotBeWrittenIsSaid() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let asset = try await MediaAsset(path: "\(folder)/in.mp4")
    let reader = try AssetReader(asset)
    let firsts = try asset.tracks.map { try reader.outputProvider(for: .stored($0)) }
    try reader.start()
    let video = try #require(try await firsts[0].next())
    let audio = try #require(try await firsts[1].next())
    let (errors, continuation) = AsyncStream<any Error>.makeStream()
    let muxer = try PacketMuxer(
      path: "\(folder)/d.mp4", video: video.format, audio: audio.format
    ) { continuation.yield($0) }
    try await muxer.start()
    // Audio where video is expected.
    try await muxer.append(audio, to: .video)
    try await muxer.append(audio, to: .audio)
    var iterator = errors.makeAsyncIterator()
    #expect(await iterator.next() is NodeError)
    await muxer.cancel()
  }
}
