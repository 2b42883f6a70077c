import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Files that end before they say: what there is of them is read, and the run says so.
  @Suite struct CutOffFileTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    static let files = [
      ("a.mp4", "-c:a aac -movflags +faststart"), ("a.mka", "-c:a libvorbis"),
      ("a.mp3", "-c:a libmp3lame"), ("a.flac", "-c:a flac"),
      ("b.flac", "-c:a flac -frame_size 1152"),
      ("a.wav", ""), ("ima.wav", "-c:a adpcm_ima_wav"), ("a.rf64", "-f wav -rf64 always"),
      ("a.aiff", ""), ("a.ogg", "-c:a libvorbis"), ("a.opus", ""),
      ("a.mov", "-c:a pcm_s16le -movflags +faststart"), ("a.avi", "-c:a libmp3lame"),
      ("a.flv", "-c:a libmp3lame -ar 44100"),
    ]

    private func make(_ name: String, _ options: String) throws -> String {
      let path = scratch.path(name)
      try ffmpeg("-f lavfi -i anoisesrc=r=48000:d=5:a=0.3:seed=1", options, to: path)
      return path
    }

    private func warnings(_ path: String) async throws -> [RunWarning] {
      try await fileWarnings(of: path, in: scratch)
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
      "so is one that only a little is missing of",
      arguments: [
        "a.mp4", "a.mka", "a.wav", "a.rf64", "a.aiff", "a.ogg", "a.mov", "a.avi", "a.flv", "a.flac",
        "b.flac",
      ])
    func little(name: String) async throws {
      let path = try make(name, try #require(Self.files.first { $0.0 == name }).1)
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try whole.prefix(whole.count - 12).write(to: URL(fileURLWithPath: path))
      let heard = try await warnings(path)
      #expect(heard.count == 1 && heard.first?.message.contains("`\(path)` was cut off") == true)
    }

    @Test("a header that doesn't know its length states none", arguments: ["a.wav", "a.aiff"])
    func unknownLength(name: String) async throws {
      let path = try make(name, "")
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let chunk = Array((name == "a.wav" ? "data" : "SSND").utf8)
      let place = try #require(bytes.firstRange(of: chunk)).upperBound
      bytes.replaceSubrange(place..<place + 4, with: [0xff, 0xff, 0xff, 0xff])
      bytes.replaceSubrange(4..<8, with: [0xff, 0xff, 0xff, 0xff])
      #expect(try await warnings(scratch.write(bytes, to: name)) == [])
    }

    @Test("an Ogg file that goes on with another stream is one", arguments: ["ogg", "opus"])
    func chained(name: String) async throws {
      let paths = ["a.\(name)", "b.\(name)"]
      // Each run of ffmpeg gives its stream a number of its own.
      let parts = try paths.map {
        try Data(contentsOf: URL(fileURLWithPath: make($0, "-metadata title=\($0)")))
      }
      let heard = try await warnings(scratch.write(parts[0] + parts[1], to: "c.\(name)"))
      #expect(heard.map(\.node) == ["in"])
      #expect(heard.first?.message.contains("goes on after its first stream") == true)
    }

    @Test(
      "bytes behind a whole file are none", arguments: ["a.flv", "a.avi", "a.flac"],
      [1, 4, 10, 16, 4096])
    func padded(name: String, count: Int) async throws {
      let path = try make(name, name == "a.flv" ? "-ar 44100" : "")
      let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      _ = try scratch.write(whole + [UInt8](repeating: 0, count: count), to: name)
      #expect(try await warnings(path) == [])
    }

    @Test("nor is the end of a line behind FLAC, or a word") func lineEnd() async throws {
      let path = try make("a.flac", "-c:a flac")
      let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      for rest in ["\n", "\r\n", "padding!"] {
        #expect(try await warnings(scratch.write(whole + Array(rest.utf8), to: "a.flac")) == [])
      }
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
      #expect(heard.first?.message.hasPrefix("there is no audio from 2.") == true)
    }

    @Test(
      "whole files are none",
      arguments: [
        "a.mkv", "a.mov", "a.ts", "a.ogg", "a.wav", "a.aac", "a.opus", "a.aiff", "a.webm", "a.avi",
        "a.flv",
      ])
    func whole(name: String) async throws {
      let options = name == "a.flv" ? "-ar 44100" : ""
      #expect(try await warnings(make(name, options)) == [])
    }
  }
}
