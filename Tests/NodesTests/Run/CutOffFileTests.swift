import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Files that end before they say: what there is of them is read, and the run says so.
  @Suite(.timeLimit(.minutes(15))) struct CutOffFileTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    static let files = [
      ("a.mp4", "-c:a aac -movflags +faststart"), ("a.mka", "-c:a libvorbis"),
      ("a.mp3", "-c:a libmp3lame"), ("a.flac", "-c:a flac"),
      ("b.flac", "-c:a flac -frame_size 1152"),
    ]

    private func make(_ name: String, _ options: String) throws -> String {
      let path = scratch.path(name)
      try ffmpeg("-f lavfi -i anoisesrc=r=48000:d=5:a=0.3:seed=1", options, to: path)
      return path
    }

    private func warnings(_ path: String) async throws -> [RunWarning] {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "wave": { "type": "wavSink", "path": "\(scratch.path("out.wav"))", "overwrite": true } },
          "wires": ["in.audio -> wave"] }
        """)
      let events = run.events()
      let report = try await run.run()
      var heard: [RunWarning] = []
      for await event in events {
        if case .warning(let node, let message) = event.kind {
          heard.append(RunWarning(node: node, message: message))
        }
      }
      #expect(heard == report.warnings ?? [])
      return heard
    }

    @Test("a file that was cut off is a warning with its node and path", arguments: files)
    func isSaid(name: String, options: String) async throws {
      let path = try make(name, options)
      #expect(try await warnings(path) == [])
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try whole.prefix(whole.count * 7 / 10).write(to: URL(fileURLWithPath: path))
      let heard = try await warnings(path)
      #expect(heard.map(\.node) == ["in"])
      #expect(heard.first?.message.contains("`\(path)` was cut off") == true)
    }

    @Test(
      "damage that a decoder leaves out is a warning with its place", arguments: ["flac", "m4a"])
    func damage(name: String) async throws {
      let path = try make("a.\(name)", "")
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let middle = bytes.count / 2
      for index in middle..<middle + bytes.count / 100 { bytes[index] ^= 0x5a }
      _ = try scratch.write(bytes, to: "a.\(name)")
      let heard = try await warnings(path)
      #expect(heard.map(\.node) == ["decode:in-wave"])
      #expect(heard.first?.message.hasPrefix("there is no sound from 2.") == true)
    }

    @Test(
      "whole files are none",
      arguments: ["a.mkv", "a.mov", "a.ts", "a.ogg", "a.wav", "a.aac", "a.opus"])
    func whole(name: String) async throws {
      #expect(try await warnings(make(name, "")) == [])
    }
  }
}
