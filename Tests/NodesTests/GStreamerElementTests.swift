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
  ])

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
