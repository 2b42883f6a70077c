import AssetIO
import Foundation
import GraphKit

/// Puts the video of one file and the audio of another into a movie, as they are.
@main struct Main {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 3 else {
      print("Usage: PacketMuxer VIDEO AUDIO MOVIE.mp4")
      exit(64)
    }
    do {
      let report = try await mux(video: words[0], audio: words[1], to: words[2])
      print("\(words[2]): \(report.outputs.first?.contents?.duration ?? 0) s")
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// Muxes the first video of a file and the first audio of another.
  static func mux(video: String, audio: String, to path: String) async throws -> Report {
    let (pictures, sound) = (try await packets(video, .video), try await packets(audio, .audio))
    guard let picture = try await pictures.next(), let block = try await sound.next() else {
      throw NodeError("a file without packets", remedy: "give files with video and audio")
    }
    let muxer = try PacketMuxer(path: path, video: picture.format, audio: block.format) { _ in }
    try await muxer.start()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await feed(muxer, .video, picture, pictures) }
      group.addTask { try await feed(muxer, .audio, block, sound) }
      try await group.waitForAll()
    }
    return try await muxer.stop()
  }

  private static func packets(_ path: String, _ kind: AssetTrack.Kind) async throws
    -> SampleProvider
  {
    let asset = try await MediaAsset(path: path)
    guard let track = asset.tracks(kind).first else {
      throw NodeError("\(path) has no \(kind)", remedy: "give a file that has")
    }
    let reader = try AssetReader(asset)
    let provider = try reader.outputProvider(for: .stored(track))
    try reader.start()
    return provider
  }

  /// An encoder would come back later; a file can wait.
  private static func feed(
    _ muxer: PacketMuxer, _ track: PacketMuxer.Track, _ first: ReadySampleBuffer,
    _ rest: SampleProvider
  ) async throws {
    var next: ReadySampleBuffer? = first
    while let packet = next {
      do {
        try await muxer.append(packet, to: track)
        next = try await rest.next()
      } catch PacketMuxer.Refusal.isFull {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    await muxer.end(track)
  }
}
