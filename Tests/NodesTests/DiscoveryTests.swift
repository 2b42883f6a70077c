import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

@Suite(.serialized, .inTurn) struct DiscoveryTests {
  private let scratch: TestFolder
  private let environment = LiveEnvironment()
  init() throws { scratch = try TestFolder() }

  private func codecs(_ streams: [DiscoveredStream]) -> [String] {
    streams.map { stream in
      switch stream.format {
      case .encoded(let encoded): encoded.codec.rawValue
      case .audio(let audio): audio.sampleFormat.rawValue
      case .video(let video): video.pixelFormat.rawValue
      case .peaks, .measurement: "no media"
      case .other(let caps): caps
      }
    }
  }

  @Test(arguments: [
    ("a.mp4", "-c:v libx264 -c:a aac", ["h264", "aac"]),
    ("a.mkv", "-c:v libvpx -c:a flac", ["vp8", "flac"]),
    ("a.webm", "-c:v libvpx-vp9 -c:a libopus", ["vp9", "opus"]),
    ("a.ts", "-c:v libx264 -c:a aac", ["h264", "aac"]),
  ])
  func findsPicturesAndSound(_ name: String, _ options: String, _ expected: [String]) throws {
    let path = scratch.path(name)
    try ffmpeg(
      "-f lavfi -i testsrc=d=1:s=160x120:r=25 -f lavfi -i sine=d=1:r=48000", options, to: path)
    let streams = try environment.discover(path)
    #expect(codecs(streams) == expected)
    #expect(Set(streams.map(\.identifier)).count == 2)
    #expect(try environment.discover(path) == streams)
    for stream in streams {
      if let duration = stream.duration { #expect(abs(duration.seconds - 1) < 0.2) }
    }
  }

  @Test(arguments: [
    ("a.wav", "", "s16"), ("a.mp3", "", "mp3"), ("a.flac", "", "flac"),
    ("a.ogg", "-c:a libvorbis", "vorbis"), ("a.aac", "", "aac"), ("a.opus", "", "opus"),
  ])
  func findsSound(_ name: String, _ options: String, _ expected: String) throws {
    let path = scratch.path(name)
    try ffmpeg("-f lavfi -i sine=d=1:r=48000", options, to: path)
    var source = FileSource()
    source.path = path
    #expect(try source.resolve(in: environment) == [])
    #expect(source.portDeclarations.map(\.name) == ["audio"])
    #expect(codecs(try environment.discover(path)) == [expected])
    #expect(source.portDeclarations[0].format.sampleRates == [48_000])
  }

  @Test("a stream that changes its format is of its first, however far it is read meanwhile")
  func formatOfTheFirstSample() throws {
    let parts = try [32_000, 44_100].map { rate in
      let path = scratch.path("\(rate).mp3")
      try ffmpeg(
        "-f lavfi -i sine=d=1:r=\(rate)", "-c:a libmp3lame -write_xing 0 -id3v2_version 0",
        to: path)
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    let path = try scratch.write(parts[0] + parts[1], to: "both.mp3")
    for _ in 0..<20 {
      guard case .encoded(let format)? = try environment.discover(path).first?.format else {
        Issue.record("nothing encoded")
        return
      }
      #expect(format.sampleRate == 32_000)
    }
  }

  @Test func secondTracksFollowInTheFilesOrder() throws {
    let path = scratch.path("two.mkv")
    try ffmpeg(
      "-f lavfi -i sine=d=1:r=48000 -f lavfi -i testsrc=d=1:s=160x120 -f lavfi -i sine=d=1:r=44100",
      "-map 0 -map 1 -map 2 -c:v libx264 -c:a aac", to: path)
    var source = FileSource()
    source.path = path
    _ = try source.resolve(in: environment)
    #expect(Set(source.portDeclarations.map(\.name)) == ["video", "audio", "audio.2"])
    let rates = source.portDeclarations.filter { $0.name != "video" }
      .sorted { $0.name < $1.name }.map(\.format.sampleRates)
    #expect(rates == [[48_000], [44_100]])
    let chain = try #require(try source.elements(in: environment, formats: [:]).first)
    #expect(chain.isPerOutput && chain.outputs.count == 3)
  }

  @Test(arguments: [
    (0, "is empty"), (7, "is no media file"), (100, "is a movie without its index"),
    (2_000, "is a movie without its index"),
  ])
  func filesWithoutTheirIndexAreErrors(_ length: Int, _ words: String) throws {
    let whole = scratch.path("whole.mp4")
    try ffmpeg("-f lavfi -i testsrc=d=1:s=160x120 -c:v libx264", to: whole)
    let data = try Data(contentsOf: URL(fileURLWithPath: whole))
    let path = try scratch.write(data.prefix(length), to: "cut.mp4")
    let error = #expect(throws: NodeError.self) { try environment.discover(path) }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("`\(path)` \(words)"), "\(message)")
  }

  @Test func whatIsNoMediaFileIsAnErrorThatNamesIt() throws {
    let text = try scratch.write("Not a movie, but a few words.\n".utf8, to: "text.txt")
    let noise = try scratch.write(
      (0..<9_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 / 7) }, to: "noise")
    for path in [text, noise, scratch.path("none.mp4"), scratch.folder, "/dev/zero"] {
      do {
        _ = try environment.discover(path)
        Issue.record("\(path) was read")
      } catch {
        #expect(error.message.contains(path) && error.key == "path" && !error.remedy.isEmpty)
      }
    }
  }

  /// A chunk of a DSDIFF file (DSDIFF 1.5, 2).
  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = (0..<8).reversed().map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) }
    return Array(name.utf8) + size + content
  }

  @Test func aReaderThatGetsNowhereIsNamed() throws {
    // Sound of one bit, at whose end libav's reader asks for the same bytes again and again.
    let properties =
      Array("SND ".utf8) + chunk("FS  ", [0, 0x2b, 0x11, 0])
      + chunk("CHNL", [0, 2] + Array("SLFTSRGT".utf8))
      + chunk("CMPR", Array("DSD ".utf8) + [14] + Array("not compressed".utf8) + [0])
    let form =
      Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + chunk("PROP", properties)
      + chunk("DSD ", Array(repeating: 0x69, count: 256))
    let path = try scratch.write(chunk("FRM8", form), to: "short.dff")
    let error = #expect(throws: NodeError.self) { try environment.discover(path) }
    #expect(error?.message.contains("reads it and finds none") == true)
  }

  @Test func inspectsElements() throws {
    let queue = try environment.inspect("queue")
    #expect(queue.plugin == "coreelements" && queue.properties.contains("max-size-time"))
    #expect(queue.pads.map(\.name).sorted() == ["sink", "src"])
    let muxer = try environment.inspect("mp4mux")
    #expect(muxer.pads.contains { $0.name == "audio_%u" && $0.presence == .request })
    #expect(throws: NodeError.self) { try environment.inspect("noSuchElement") }
  }

  @Test(arguments: [44, 40, 36])
  func aWAVFileThatEndsBeforeItsSoundIsRefused(length: Int) throws {
    let format: [UInt8] = [1, 0, 1, 0, 0x44, 0xac, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0]
    let bytes =
      Array("RIFF".utf8) + [0xff, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0] + format
      + Array("LIST".utf8) + [26, 0, 0, 0]
    let path = scratch.path("cut.wav")
    try Data(bytes.prefix(length)).write(to: URL(filePath: path))
    let error = #expect(throws: NodeError.self) { try environment.discover(path) }
    #expect(error?.message.hasSuffix("ends before its audio data begins") == true)
  }

  @Test func knowsWhatIsInstalled() {
    #expect(environment.isInstalled(ElementSpec("queue", plugin: "coreelements")))
    #expect(!environment.isInstalled(ElementSpec("x", plugin: "no-such-plugin")))
    #expect(!environment.isInstalled(ElementSpec("noSuchElement", plugin: nil)))
  }

  @Test func everyElementOfTheCatalogNamesItsPlugin() throws {
    var specs: [ElementSpec] = []
    for type in Catalog.builtIn.all where type.name != "gst" && type.name != "file" {
      guard let node = type.make() as? any ElementNode else { continue }
      let formats = node.portDeclarations.filter { $0.direction == .input }
        .reduce(into: [:]) { $0[$1.name] = $1.format }
      for chain in (try? node.elements(in: environment, formats: formats)) ?? [] {
        specs += chain.elements + chain.inputElements.values.joined()
      }
    }
    #expect(specs.count > 20)
    // They look for the best of all that are installed.
    let choosesItself = ["autovideosink", "decodebin"]
    for spec in specs
    where environment.isInstalled(spec) && !choosesItself.contains(spec.factory) {
      #expect(try environment.inspect(spec.factory).plugin == spec.plugin, "\(spec.factory)")
      let known = try environment.inspect(spec.factory).properties
      for name in spec.properties.keys { #expect(known.contains(name), "\(spec.factory) \(name)") }
    }
  }

  @Test func saysWhereAFileCanGo() throws {
    let file = try scratch.write([1], to: "there.mp4")
    #expect(environment.outputPlace(file) == .file)
    #expect(environment.outputPlace(scratch.path("new.mp4")) == .free)
    #expect(environment.outputPlace(scratch.folder) == .folder)
    try tool("mkfifo", [scratch.path("pipe")])
    #expect(environment.outputPlace(scratch.path("pipe")) == .blocked("it is a pipe"))
    guard case .blocked = environment.outputPlace(scratch.path("no/such.mp4")) else {
      Issue.record("a missing folder isn't noticed")
      return
    }
  }
}
