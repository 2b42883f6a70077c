import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// A waveform that ends early leaves the rest of its file unread.
  @Suite struct EndReadingTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    static let files = [
      "a.wav -c:a pcm_s16le", "a.flac -sample_fmt s16", "a.mp3 -c:a libmp3lame -b:a 32k",
      "a.m4a -c:a aac -aac_pns 0", "a.ogg -c:a libvorbis", "a.aiff -c:a pcm_s16be",
    ]

    @Test(arguments: files)
    func readsNoFurther(_ file: String) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let path = scratch.path(words[0])
      try ffmpeg("-f lavfi -i sine=f=300:r=8000:d=90", words[1], to: path)
      let (whole, all) = try await reduce(ReducedFile(input: path))
      for cores in 1...3 {
        let ending = ReducedFile(input: path, settings: ", \"endAt\": 3.2", cores: cores)
        let (points, read) = try await reduce(ending)
        #expect(points == Array(whole.prefix(200)))
        // How much left the source is told by its wire; all of it is 90 s.
        #expect(read > 0 && read * 8 <= all, "\(read) of \(all) on \(cores) cores")
      }
    }

    /// The points, and how many samples left the file for them, on all of its wires.
    private func reduce(_ file: ReducedFile) async throws -> (points: [Int16], read: Int) {
      let output = scratch.path("\(UUID().uuidString).dat")
      let report = try await file.pipeline(to: output).run()
      #expect(report.unbalanced == [])
      let data = try Data(contentsOf: URL(fileURLWithPath: output))
      return (integers(Array(data.dropFirst(24))), passed(report))
    }

    /// The samples that left the file, on all of its wires.
    private func passed(_ report: Report) -> Int {
      report.wires.filter { $0.key.hasPrefix("in") }.values.reduce(0) { $0 + $1.samplesOut }
    }

    @Test func othersGetTheirSoundToTheEnd() async throws {
      let path = scratch.path("a.flac")
      try ffmpeg("-f lavfi -i sine=f=300:r=8000:d=20", to: path)
      let (early, whole) = (scratch.path("early.csv"), scratch.path("whole.csv"))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "early": { "type": "waveform", "endAt": 2, "samplesPerPixel": 1000 },
            "whole": { "type": "waveform", "samplesPerPixel": 1000 },
            "one": { "type": "peaksSink", "path": "\(early)" },
            "other": { "type": "peaksSink", "path": "\(whole)" } },
          "wires": ["in.audio -> early -> one", "in.audio -> whole -> other"] }
        """)
      #expect(try await run.run().unbalanced == [])
      let lines = try [early, whole].map {
        try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n").count
      }
      #expect(lines == [16, 160])
    }
  }
}
