import TestTools
import Testing

@testable import GraphKit

@Suite("A graph composed in Swift", .inTurn)
struct GraphBuilderTests {
  private typealias Kit = CheckerNodes
  private let machine = CheckerNodes.Machine()

  @Test("is the graph that its JSON makes, and the other way round")
  func roundTrip() throws {
    var builder = GraphBuilder(catalog: Kit.catalog)
    let tone = builder.add("tone", Kit.Tone()) { $0.frequency = 880 }
    let gain = builder.add("gain", Kit.Gain(decibels: -6))
    let picture = builder.add("picture", Kit.Picture())
    let video = builder.add("video", Kit.VideoEncoder(bitRate: 500_000))
    let sound = builder.add("sound", Kit.SoundEncoder())
    let movie = builder.add("movie", Kit.MovieSink(path: "a.mp4"))
    builder.connect(tone.output, to: gain.input)
    builder.connect(gain.output, to: sound.input)
    builder.connect(picture.output, to: video.input)
    builder.connect(video.output, to: movie.video)
    builder.connect(sound.output, to: movie.audio[2])
    let graph = try builder.build(in: machine)
    let written = graph.document.json
    #expect(
      written == """
        {
          "nodes": {
            "tone":    { "type": "tone", "frequency": 880 },
            "gain":    { "type": "gain", "decibels": -6 },
            "picture": { "type": "picture" },
            "video":   { "type": "videoEncoder", "bitRate": 500000 },
            "sound":   { "type": "soundEncoder" },
            "movie":   { "type": "movieSink", "path": "a.mp4" }
          },
          "wires": [
            "tone -> gain -> sound -> movie.audio.2",
            "picture -> video -> movie.video"
          ]
        }

        """)
    let read = try Graph(
      checking: GraphDocument(json: written), catalog: Kit.catalog, environment: machine)
    #expect(read == graph)
    #expect(read.document == graph.document)
  }

  @Test("starts from a document and is wired further")
  func fromDocument() throws {
    let document = try GraphDocument(
      json: #"{"nodes": {"tone": {"type": "tone"}}, "wires": []}"#)
    var builder = GraphBuilder(document, catalog: Kit.catalog)
    let tone = try #require(builder.node("tone", as: Kit.Tone.self))
    let sink = builder.add("sink", Kit.SoundSink(path: "a.wav"))
    builder.connect(tone.output, to: sink.input)
    #expect(try builder.build(in: machine).wires.map(\.to) == [PortReference("sink", "in")])
    #expect(builder.node("tone", as: Kit.Gain.self) == nil)
    #expect(builder.node("none", as: Kit.Gain.self) == nil)
  }

  @Test("names ports that only the node itself has")
  func portsByName() throws {
    var builder = GraphBuilder(catalog: Kit.catalog)
    let file = builder.add("file", Kit.FileSource(path: "movie.mp4"))
    let movie = builder.add("movie", Kit.MovieSink(path: "a.mp4"))
    builder.connect(file.port("video", as: EncodedVideo.self), to: movie.video)
    builder.connect(file.port("sound", as: EncodedAudio.self), to: movie.audio)
    let errors = #expect(throws: GraphErrors.self) { try builder.build(in: machine) }
    #expect(errors?.diagnostics.compactMap(\.port) == ["sound"])
  }

  @Test("answers everything that is wrong at once")
  func mistakes() {
    var builder = GraphBuilder(catalog: Kit.catalog)
    let tone = builder.add("tone", Kit.Tone(frequency: 5))
    builder.add("tone", Kit.Tone())
    let movie = builder.add("movie", Kit.MovieSink(path: "a.wav"))
    let sound = builder.add("sound", Kit.SoundEncoder())
    builder.connect(tone.output, to: sound.input)
    builder.connect(sound.output, to: movie.audio[0])
    let errors = #expect(throws: GraphErrors.self) { try builder.build(in: machine) }
    let problems = errors?.diagnostics.map(\.problem) ?? []
    #expect(problems.contains(.fit(.duplicateNode("tone"))))
    #expect(errors?.description.contains("frequency") == true, "\(errors!)")
    #expect(errors?.description.contains("end it in .mp4") == true, "\(errors!)")
  }

  @Test("takes types that the catalog lacks, but not two of one name")
  func ownTypes() throws {
    var builder = GraphBuilder(catalog: Catalog([NodeType(Kit.Tone.self)]))
    let tone = builder.add("tone", Kit.Tone())
    let sink = builder.add("sink", Kit.SoundSink(path: "a.wav"))
    builder.connect(tone.output, to: sink.input)
    let graph = try builder.build(in: machine)
    #expect(graph.catalog["soundSink"] != nil)
    let read = try Graph(
      checking: graph.document, catalog: graph.catalog, environment: machine)
    #expect(read == graph)
    builder.add("other", OtherTone())
    let errors = #expect(throws: GraphErrors.self) { try builder.build(in: machine) }
    #expect(errors?.description.contains("another node type") == true)
  }

  @Test("lets encoded media into raw inputs, and anything into those that take all")
  func overloads() throws {
    var builder = GraphBuilder(catalog: Kit.catalog)
    let file = builder.add("file", Kit.FileSource(path: "movie.mp4"))
    let encoder = builder.add("video", Kit.VideoEncoder())
    let relay = builder.add("relay", Kit.Relay())
    let second = builder.add("second", Kit.Relay())
    let movie = builder.add("movie", Kit.MovieSink(path: "a.mp4"))
    builder.connect(file.port("video", as: EncodedVideo.self), to: encoder.input)
    builder.connect(encoder.output, to: relay.input)
    builder.connect(relay.output, to: second.input)
    builder.connect(second.output, to: movie.video)
    let graph = try builder.build(in: machine)
    #expect(graph.wires.count == 4)
  }

  private struct OtherTone: Node {
    static let declaration = NodeDeclaration<OtherTone>(
      "tone", role: .source, help: "Another.", example: "tone -> gain")
    static let ports = SourcePorts<Audio>(help: "The tone.")
  }
}
