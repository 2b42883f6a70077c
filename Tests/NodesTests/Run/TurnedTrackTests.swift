import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

/// a, b, c and d of each way to turn a picture.
private let allTurns = [
  [1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0],
  [-1, 0, 0, 1], [0, -1, -1, 0], [1, 0, 0, -1], [0, 1, 1, 0],
]

extension FileTests {
  /// Movies whose tracks are turned and mirrored each in its own way, as ffmpeg sees them.
  @Suite struct TurnedTrackTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// A movie with sound and then a track of pictures for each turn.
    private func movie(_ name: String, _ turns: [[Int]]) throws -> String {
      let path = scratch.path(name)
      let maps = turns.map { _ in "-map 0" }.joined(separator: " ")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:d=0.4 -f lavfi -i sine=d=0.4 -map 1 \(maps)",
        "-c:v libx264 -pix_fmt yuv420p -c:a aac", to: path)
      var bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let tracks = bytes.indices.filter { bytes[$0...].starts(with: "tkhd".utf8) }.dropFirst()
      for (place, turn) in zip(tracks, turns) {
        let (width, height) = (Int32(64 << 16), Int32(48 << 16))
        let x = turn[0] < 0 ? width : turn[2] < 0 ? height : 0
        let y = turn[1] < 0 ? width : turn[3] < 0 ? height : 0
        let numbers = turn.map { Int32($0) << 16 }
        let matrix = [numbers[0], numbers[1], 0, numbers[2], numbers[3], 0, x, y]
        for (index, number) in matrix.enumerated() {
          for byte in 0..<4 {
            bytes[place + 44 + index * 4 + byte] = UInt8(
              truncatingIfNeeded: number >> (24 - 8 * byte))
          }
        }
      }
      return try scratch.write(bytes, to: name)
    }

    /// The same four of each track of pictures, in their order, as ffprobe reads them.
    private func turns(of path: String) throws -> [[Int]] {
      struct Answer: Decodable {
        struct Data: Decodable { var displaymatrix: String? }
        struct Stream: Decodable { var side_data_list: [Data]? }
        var streams: [Stream]
      }
      let output = try tool(
        "ffprobe", ["-v", "error", "-select_streams", "v", "-show_streams", "-of", "json", path])
      return try JSONDecoder().decode(Answer.self, from: output).streams.map { stream in
        guard let text = stream.side_data_list?.compactMap(\.displaymatrix).first else {
          return [1, 0, 0, 1]
        }
        let rows = text.split(separator: "\n").map { row in
          row.split(separator: " ").dropFirst().compactMap { Int($0).map { $0.signum() } }
        }
        return [rows[0][0], rows[0][1], rows[1][0], rows[1][1]]
      }
    }

    /// The first picture of a track, as players show it.
    private func shown(_ path: String, track: Int) throws -> [UInt8] {
      Array(
        try tool(
          "ffmpeg",
          ["-v", "error", "-i", path, "-map", "0:v:\(track)", "-frames:v", "1"]
            + ["-pix_fmt", "gray", "-f", "rawvideo", "-"]))
    }

    private func run(_ input: String, nodes: String = "", _ wires: [String]) async throws -> String
    {
      let output = scratch.path("out.mp4")
      let run = try pipeline(
        """
        { "nodes": { "f": { "type": "file", "path": "\(input)" }, \(nodes)
                     "m": { "type": "mp4Sink", "path": "\(output)", "overwrite": true } },
          "wires": [\(wires.map { "\"\($0)\"" }.joined(separator: ", "))] }
        """)
      try expectNothingDropped(try await run.run())
      return output
    }

    /// Whether two pictures are the same but for what a codec changes.
    private func expectAlike(_ first: [UInt8], _ second: [UInt8], _ what: String) {
      let difference = zip(first, second).map { abs(Int($0) - Int($1)) }.reduce(0, +)
      let areAlike = first.count == second.count && difference < 6 * first.count
      #expect(areAlike, "\(what): \(difference)")
    }

    @Test("copies and transcodes turn and mirror each track as it came")
    func ownTurns() async throws {
      for turns in [[allTurns[1], allTurns[2]], [allTurns[0], allTurns[3]], allTurns] {
        let input = try movie("in.mp4", turns)
        #expect(try self.turns(of: input) == turns)
        let names = turns.indices.map { $0 == 0 ? "video" : "video.\($0 + 1)" }
        let copies = names.map { "f.\($0) -> m.\($0)" }
        #expect(try self.turns(of: await run(input, ["f.audio -> m.audio"] + copies)) == turns)
      }
      let input = try movie("in.mp4", [allTurns[0], allTurns[5]])
      let output = try await run(
        input, nodes: #""e": { "type": "h264Encoder" },"#,
        ["f.video.2 -> e -> m.video.2", "f.audio -> m.audio", "f.video -> m.video"])
      #expect(try turns(of: output) == [allTurns[5], allTurns[0]])
    }

    @Test("pixels that were put upright aren't turned again", arguments: allTurns)
    func upright(_ turn: [Int]) async throws {
      let input = try movie("in.mp4", [turn, turn])
      let output = try await run(
        input,
        nodes: """
          "o": { "type": "orientation" }, "e": { "type": "h264Encoder", "bitRate": 2000000 },
          """, ["f.video -> m.video", "f.video.2 -> o -> e -> m.video.2"])
      #expect(try turns(of: output) == [turn, [1, 0, 0, 1]])
      expectAlike(try shown(output, track: 0), try shown(input, track: 0), "copy \(turn)")
      expectAlike(try shown(output, track: 1), try shown(input, track: 1), "upright \(turn)")
    }

    @Test("a sink's own turn is that of all its tracks")
    func stated() async throws {
      let input = try movie("in.mp4", [allTurns[1], allTurns[0]])
      let output = scratch.path("out.mp4")
      let run = try pipeline(
        """
        { "nodes": { "f": { "type": "file", "path": "\(input)" },
                     "m": { "type": "mp4Sink", "path": "\(output)", "transform": "rotate180" } },
          "wires": ["f.video -> m.video", "f.video.2 -> m.video.2"] }
        """)
      try expectNothingDropped(try await run.run())
      #expect(try turns(of: output) == [allTurns[2], allTurns[2]])
    }

    @Test("a movie that is cut off turns its tracks as well")
    func cutOff() async throws {
      let (input, output) = (try movie("in.mp4", [allTurns[4]]), scratch.path("out.mp4"))
      let run = try pipeline(
        """
        { "nodes": { "f": { "type": "file", "path": "\(input)" },
                     "camera": { "type": "testVideo", "width": 64, "height": 48, "live": true },
                     "e": { "type": "h264Encoder" },
                     "m": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["camera -> e -> m.video", "f.video -> m.video.2"] }
        """)
      run.start()
      #expect(await run.reaches(0.3))
      let cut = try scratch.write(Data(contentsOf: URL(filePath: output)), to: "cut.mp4")
      run.cancel()
      _ = try? await run.end()
      #expect(try turns(of: cut) == [allTurns[0], allTurns[4]])
    }
  }
}
