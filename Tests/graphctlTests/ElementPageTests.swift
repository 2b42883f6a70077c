import Foundation
import TestTools
import Testing

/// What `nodes gst --element` shows of an element.
@Suite(.inTurn) struct ElementPageTests {
  private func page(of element: String, _ options: [String] = []) async throws -> String {
    let result = try await Graphctl.run(
      ["nodes", "gst", "--element", element] + options, in: Folder())
    #expect((result.status, result.messages) == (0, ""))
    return result.output
  }

  @Test(arguments: [
    "  video  input  any number  pad video_%u, made by request\n",
    "  audio  input  any number  pad audio_%u, made by request\n",
    "  out  output  pad src\n    video/x-msvideo\n",
  ])
  func namesPortsAndTheirCaps(_ words: String) async throws {
    let page = try await page(of: "avimux")
    #expect(page.contains(words), "\(page)")
  }

  @Test(arguments: [
    ("avimux", "  BEFORE -> avimux.video  and for more: avimux.video.2, avimux.video.3\n"),
    ("avimux", "  avimux -> NEXT\n"),
    ("funnel", "  BEFORE -> funnel  and for more: funnel.in.2, funnel.in.3\n"),
    ("textoverlay", "  BEFORE -> textoverlay.text_sink\n"),
  ])
  func saysHowPortsAreWired(_ element: String, _ words: String) async throws {
    let page = try await page(of: element)
    #expect(page.contains(words), "\(page)")
  }

  @Test func saysWhatReadsPadsThatAppearLater() async throws {
    let page = try await page(of: "qtdemux")
    let pads = """
      PADS THAT APPEAR WHILE IT RUNS, AND CAN'T BE WIRED: `file` reads such streams of a file, \
      `pipe` of a pipe, and `decoder` decodes packets
        audio_%u  output
          ANY
        subtitle_%u  output
          ANY
        video_%u  output
          ANY
      """
    #expect(page.contains(pads), "\(page)")
  }

  /// One property of each kind, and each kind of range. One of `rawvideoparse` can't be read.
  @Test(arguments: [
    ("rawvideoparse", "  framerate = 25/1  (fraction, 0/1…2147483647/1)\n"),
    ("x264enc", "  quantizer = 21  (whole number, 0…50)\n    Constant quantizer"),
    ("volume", "  volume = 1  (number, 0.0…10.0)\n"),
    ("audioecho", "  delay = 1  (whole number, at least 1)\n"),
    ("videobox", "  left = 0  (whole number)\n"),
    ("capsfilter", "  caps = ANY  (caps)\n"),
    ("filesrc", "  location  (text)\n"),
    (
      "videoflip",
      "      none                  Identity (no rotation)\n      clockwise             Rotate"
    ),
    ("videoflip", "\n      identity\n      90r\n"),
    ("x264enc", "  analyse = 0  (any of, joined by +)\n    Partitions to consider\n      i4x4\n"),
    ("tee", "  alloc-pad = \"NULL\"  (GstPad; deprecated)\n"),
  ])
  func saysWhatAPropertyTakes(_ element: String, _ words: String) async throws {
    let page = try await page(of: element)
    #expect(page.contains(words), "\(page)")
  }

  @Test func writesThePageAsJSON() async throws {
    struct Page: Decodable {
      struct Property: Decodable {
        struct Choice: Decodable { var name: String }
        var name: String
        var type: String
        var minimum: String?
        var maximum: String?
        var choices: [Choice]?
        var `default`: String?
      }
      struct LaterPad: Decodable { var name: String }
      var laterPads: [LaterPad]
      var properties: [Property]
    }
    let text = try await page(of: "x264enc", ["--format", "json"])
    let page = try JSONDecoder().decode(Page.self, from: Data(text.utf8))
    let quantizer = try #require(page.properties.first { $0.name == "quantizer" })
    #expect(quantizer.type == "whole number" && quantizer.default == "21")
    #expect((quantizer.minimum, quantizer.maximum) == ("0", "50"))
    let pass = try #require(page.properties.first { $0.name == "pass" })
    #expect(
      pass.choices?.map(\.name) == ["cbr", "quant", "qual", "pass1", "pass2", "pass3"])
    let other = try await self.page(of: "qtdemux", ["--format", "json"])
    let demuxer = try JSONDecoder().decode(Page.self, from: Data(other.utf8))
    #expect(demuxer.laterPads.map(\.name) == ["audio_%u", "subtitle_%u", "video_%u"])
  }

  @Test(arguments: [
    ("avimuxx", "did you mean `avimux`?"), ("x264ecn", "did you mean `x264enc`?"),
    ("wallpaper", "`gst-inspect-1.0` lists those that are installed"),
  ])
  func suggestsAnElement(_ name: String, _ remedy: String) async throws {
    let result = try await Graphctl.run(["nodes", "gst", "--element", name], in: Folder())
    let message = "graphctl: error: no GStreamer element is called `\(name)`; \(remedy)\n"
    #expect(result == .init(status: 69, output: "", messages: message))
  }

  @Test func onlyTheNodeGstHasElements() async throws {
    let result = try await Graphctl.run(["nodes", "gain", "--element", "avimux"], in: Folder())
    #expect(result.status == 64 && result.messages.contains("only the node `gst`"), "\(result)")
  }
}
