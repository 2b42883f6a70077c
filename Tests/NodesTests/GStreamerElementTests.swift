import GraphKit
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct GStreamerElementTests {
  private let environment = FakeEnvironment(inspections: [
    "videoflip": ElementInspection(
      pads: [
        .init(name: "sink", direction: .input, presence: .always, caps: "video/x-raw"),
        .init(name: "src", direction: .output, presence: .always, caps: "video/x-raw"),
      ], properties: ["name", "video-direction", "method"], plugin: "videofilter"),
    "mixer": ElementInspection(
      pads: [
        .init(name: "sink_%u", direction: .input, presence: .request, caps: "audio/x-raw"),
        .init(name: "side", direction: .input, presence: .always, caps: "ANY"),
        .init(name: "src", direction: .output, presence: .always, caps: "audio/x-raw"),
        .init(name: "extra_%u", direction: .output, presence: .sometimes, caps: "ANY"),
      ], properties: [], plugin: "mixer"),
    "filesink": ElementInspection(
      pads: [.init(name: "sink", direction: .input, presence: .always, caps: "ANY")],
      properties: ["location", "append"], plugin: "coreelements"),
    "mpegtsmux": ElementInspection(
      pads: [
        .init(
          name: "sink_%d", direction: .input, presence: .request,
          caps: "video/x-h264, stream-format=(string)byte-stream; audio/x-ac3, framed=(boolean)true"
        ), .init(name: "src", direction: .output, presence: .always, caps: "video/mpegts"),
      ], properties: [], plugin: "mpegtsmux"),
  ])

  private func sink(_ location: String) -> GStreamerElement {
    var node = GStreamerElement()
    (node.element, node.properties) = ("filesink", ["location": .string(location)])
    return node
  }

  @Test func aSinkThatWritesOverAFileIsRefused() throws {
    var machine = environment
    machine.places = ["old": .file, "frame07.png": .file]
    machine.folders = ["out/": [], ".": ["frame07.png", "frame.png", "frameA.png"]]
    for (location, path) in [
      ("old", "old"), ("file://old", "old"), ("frame%02d.png", "frame07.png"),
    ] {
      var node = sink(location)
      let error = #expect(throws: NodeError.self) { try node.resolve(in: machine) }
      #expect(
        error
          == NodeError(
            "`\(path)` is there already",
            remedy: "give another path, `--overwrite`, or `\"overwrite\": true`",
            key: "properties.location"))
      node.overwrite = true
      #expect(try node.resolve(in: machine) == [])
    }
    for location in ["new", "/dev/null", "out/frame%02d.png", "http://old"] {
      var node = sink(location)
      #expect(try node.resolve(in: machine) == [])
    }
    var appending = sink("old")
    appending.properties["append"] = .bool(true)
    #expect(try appending.resolve(in: machine) == [])
  }

  @Test func packetsAreFramedAsAnInputTakesThem() throws {
    var node = GStreamerElement()
    node.element = "mpegtsmux"
    _ = try node.resolve(in: environment)
    let formats = [
      "in": FormatConstraint.encoded(.h264), "in.2": .encoded(.ac3), "in.3": .encoded(.opus),
    ]
    let chains = try node.elements(in: environment, formats: formats)
    #expect(
      chains.map { $0.inputElements.mapValues { $0.map(\.factory) } } == [
        ["in": ["h264parse"], "in.2": ["ac3parse"]], [:],
      ])
  }

  @Test func onePadOfADirectionIsInOrOut() throws {
    var node = GStreamerElement()
    (node.element, node.properties) = ("videoflip", ["method": .string("clockwise")])
    #expect(try node.resolve(in: environment) == [])
    #expect(node.portDeclarations.map(\.name) == ["in", "out"])
    #expect(node.portDeclarations.map(\.format.kind) == [.video, .video])
    let chain = try #require(try node.elements(in: environment, formats: [:]).first)
    #expect(
      chain.elements == [
        ElementSpec("videoflip", plugin: "videofilter", ["method": "clockwise"])
      ])
    #expect(chain.inputs == ["in": .fixed("sink")] && chain.outputs == ["out": .fixed("src")])
  }

  @Test func requestedPadsAreRepeatable() throws {
    var node = GStreamerElement()
    node.element = "mixer"
    #expect(try node.resolve(in: environment).count == 1)
    #expect(node.portDeclarations.map(\.name) == ["sink", "side", "out"])
    #expect(node.portDeclarations.map(\.isRepeatable) == [true, false, false])
    let chain = try #require(try node.elements(in: environment, formats: [:]).first)
    #expect(chain.inputs == ["sink": .request("sink_%u"), "side": .fixed("side")])
  }

  @Test func unknownPropertiesSuggestNearOnes() {
    var node = GStreamerElement()
    (node.element, node.properties) = ("videoflip", ["direction": .number(1)])
    let error = #expect(throws: NodeError.self) { try node.resolve(in: environment) }
    #expect(
      error?.remedy == "did you mean `video-direction`?" && error?.key == "properties.direction")
  }

  @Test func valuesBecomeText() throws {
    var node = GStreamerElement()
    node.element = "videoflip"
    node.properties = ["method": .number(3), "name": .bool(true)]
    _ = try node.resolve(in: environment)
    #expect(try node.properties(of: "videoflip").isEmpty == false)
    let chain = try #require(try node.elements(in: environment, formats: [:]).first)
    #expect(chain.elements[0].properties == ["method": "3", "name": "true"])
    node.properties = ["method": .array([])]
    #expect(throws: NodeError.self) { try node.elements(in: environment, formats: [:]) }
  }

  @Test func unknownElementsAreErrors() {
    var node = GStreamerElement()
    node.element = "noSuchElement"
    #expect(throws: NodeError.self) { try node.resolve(in: environment) }
  }
}
