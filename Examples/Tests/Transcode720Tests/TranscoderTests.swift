import Foundation
import Testing

@testable import Transcode720

@Suite struct TranscoderTests {
  private func run(_ name: String, _ arguments: [String]) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(name)")
    process.arguments = ["-v", "error"] + arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test func aTallMovieIs720HighAndSoundsTheSame() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (source, destination) = ("\(folder)/in.mp4", "\(folder)/out.mp4")
    let inputs = ["testsrc2=s=320x960:r=25:d=2", "sine=d=2:r=48000"].flatMap {
      ["-f", "lavfi", "-i", $0]
    }
    _ = try run("ffmpeg", inputs + ["-c:v", "libx264", "-bf", "2", "-c:a", "aac", source])
    let count = try await Transcoder(source: source, destination: destination).run()
    let entries = ["-show_entries", "stream=codec_name,width,height,nb_frames", "-of", "csv=p=0"]
    let streams = try run("ffprobe", entries + [destination]).split(separator: "\n")
    #expect(streams.first == "h264,240,720,50")
    #expect(streams.count == 2 && streams.last?.hasPrefix("aac,") == true)
    #expect(count > 50 + 90)
    #expect(try run("ffmpeg", ["-i", destination, "-f", "null", "-"]) == "")
    func packets(_ path: String) throws -> [Substring] {
      let words = ["-select_streams", "a", "-show_data_hash", "md5", "-show_entries"]
      return try run("ffprobe", words + ["packet=data_hash", "-of", "csv=p=0", path])
        .split(separator: "\n").map { $0.drop { $0 != "M" }.prefix { $0 != "," } }
    }
    #expect(try packets(destination) == packets(source))
  }
}
