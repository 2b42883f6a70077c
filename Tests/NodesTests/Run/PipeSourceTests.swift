import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// Audio that comes through a pipe.
  @Suite struct PipeSourceTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Writes a file into a pipe, in parts, and returns the points of its waveform.
    private func points(through source: FileHandle, _ pipe: Pipe, count: Int = .max) async throws
      -> Peaks?
    {
      var builder = GraphBuilder(catalog: .builtIn)
      let input = builder.add("pipe", PipeSource()) {
        $0.descriptor = pipe.fileHandleForReading.fileDescriptor
      }
      let waveform = builder.add("waveform", Waveform())
      let output = builder.add("points", AppOutput())
      builder.connect(input.output, to: waveform.input)
      builder.connect(waveform.output, to: output.input)
      let machine = LiveEnvironment()
      let pipeline = try Pipeline(Plan(builder.build(in: machine)), environment: machine)
      let samples = try pipeline.output("points")
      Thread.detachNewThread {
        var left = count
        while left > 0, let data = try? source.read(upToCount: min(left, 1_000)), !data.isEmpty {
          left -= data.count
          do { try pipe.fileHandleForWriting.write(contentsOf: data) } catch { break }
        }
        try? pipe.fileHandleForWriting.close()
      }
      async let report = pipeline.run()
      var collector = PeaksCollector()
      while let sample = await samples.next() {
        try collector.begin(sample.format)
        try collector.add(sample)
      }
      #expect(try await report.unbalanced == [])
      return collector.peaks
    }

    private func points(of path: String, count: Int = .max) async throws -> Peaks? {
      let file = try #require(FileHandle(forReadingAtPath: path))
      return try await points(through: file, Pipe(), count: count)
    }

    @Test(arguments: [
      ("a.wav", ""), ("a.mp3", "-c:a libmp3lame"), ("a.flac", ""), ("a.opus", ""),
      ("a.aac", "-c:a aac"), ("a.m4a", "-c:a aac -movflags +faststart"),
      ("a.mkv", "-f lavfi -i testsrc2=s=64x48:d=3 -c:a libvorbis"),
      ("a.mp4", "-c:a aac -movflags +frag_keyframe+empty_moov"),
    ])
    func everyFormatIsDecodedAsItComes(name: String, options: String) async throws {
      let path = scratch.path(name)
      let sine = ["-f", "lavfi", "-i", "sine=f=441:r=44100:d=3"]
      let words = sine + options.split(separator: " ").map(String.init)
      _ = try tool("ffmpeg", ["-v", "error", "-y"] + words + [path])
      let peaks = try #require(try await points(of: path))
      #expect(peaks.format.sampleRate == (name == "a.opus" ? 48_000 : 44_100))
      let seconds = Double(peaks.count * 256) / Double(peaks.format.sampleRate)
      #expect(abs(seconds - 3) < 0.1)
    }

    /// Nothing is known of the pipe's audio before it comes.
    @Test(arguments: [("44100", "mono", 1), ("48000", "stereo", 2), ("22050", "5.1", 6)])
    func whatComesIsEncodedAtItsRateAndWithItsChannels(
      rate: String, layout: String, channels: Int
    ) async throws {
      let (path, movie) = (scratch.path("a.wav"), scratch.path("a.m4a"))
      let sine = "sine=f=441:r=\(rate):d=3,aformat=channel_layouts=\(layout)"
      _ = try tool("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", sine, path])
      var builder = GraphBuilder(catalog: .builtIn)
      let file = try #require(FileHandle(forReadingAtPath: path))
      let input = builder.add("pipe", PipeSource()) { $0.descriptor = file.fileDescriptor }
      let encoder = builder.add("encoder", AACEncoder())
      let sink = builder.add("movie", MP4Sink()) { $0.path = movie }
      builder.connect(input.output, to: encoder.input)
      builder.connect(encoder.output, to: sink.audio)
      let machine = LiveEnvironment()
      let pipeline = try Pipeline(Plan(builder.build(in: machine)), environment: machine)
      #expect(try await pipeline.run().unbalanced == [])
      try file.close()
      let words = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", movie]
      let duration = try String(decoding: tool("ffprobe", words), as: UTF8.self)
      #expect(abs((Double(duration.dropLast()) ?? 0) - 3) < 0.03)
      let entries = ["-show_entries", "stream=sample_rate,channels", "-of", "csv=p=0", movie]
      let stream = try String(decoding: tool("ffprobe", ["-v", "error"] + entries), as: UTF8.self)
      #expect(stream == "\(rate),\(channels)\n")
    }

    @Test func whatIsCutOffIsReadAsFarAsItGoes() async throws {
      let path = scratch.path("a.mp3")
      let words = ["-f", "lavfi", "-i", "sine=f=441:r=44100:d=3", "-b:a", "64k"]
      _ = try tool("ffmpeg", ["-v", "error", "-y"] + words + [path])
      let peaks = try #require(try await points(of: path, count: 12_000))
      let seconds = Double(peaks.count * 256) / 44_100
      #expect(abs(seconds - 1.5) < 0.2)
    }

    @Test(arguments: ["", "This is a text, and no audio at all.\n", "video"])
    func whatIsNoAudioIsSaid(content: String) async throws {
      let path = scratch.path("a.ts")
      if content == "video" {
        let words = ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=1", "-c:v", "libx264"]
        _ = try tool("ffmpeg", ["-v", "error", "-y"] + words + [path])
      } else {
        try Data(content.utf8).write(to: URL(filePath: path))
      }
      await #expect(throws: RunError.self) { try await points(of: path) }
    }

    @Test("a FIFO that nothing writes holds up no other source")
    func aSilentFIFO() async throws {
      let (fifo, path) = (scratch.path("fifo"), scratch.path("a.wav"))
      let movie = scratch.path("a.m4a")
      _ = try tool("mkfifo", [fifo])
      let report = try await pipeline(
        """
        { "nodes": {
            "silent": { "type": "pipe", "path": "\(fifo)" }, "first": { "type": "aacEncoder" },
            "tone": { "type": "testAudio", "live": true, "seconds": 7 },
            "second": { "type": "aacEncoder" }, "file": { "type": "wavSink", "path": "\(path)" },
            "movie": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["silent -> first -> movie.audio", "tone -> second -> movie.audio.2",
                    "tone -> file"] }
        """
      ).run()
      #expect(report.warnings?.contains { $0.message.contains("is left out") } == true)
      #expect(try probe(movie).count == 1)
      #expect(try abs(decodedSound(of: path).count - 7 * 48_000) < 4_800)
    }
  }
}
