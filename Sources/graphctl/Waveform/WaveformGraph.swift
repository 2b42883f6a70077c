import GraphKit
import Nodes

/// The graph that `graphctl waveform` runs.
struct WaveformGraph {
  private let files: WaveformFiles
  private let input: String
  private let reduction: ReductionOptions
  private let picture: PictureOptions

  /// A graph that reads a file, which may be another than the one that is named.
  init(
    _ files: WaveformFiles, _ reduction: ReductionOptions, _ picture: PictureOptions,
    input: String
  ) {
    self.files = files
    self.input = input
    self.reduction = reduction
    self.picture = picture
  }

  /// The graph as a file has it.
  var json: String {
    let name = files.readsPeaks ? "zoom" : "waveform"
    let port = files.stream == 1 ? "audio" : "audio.\(files.stream)"
    let start = files.readsPeaks || files.readsRaw ? "input" : "input.\(port)"
    let nodes = JSONTree(members: [
      ("input", source),
      (name, middle), ("output", output),
    ])
    let graph: JSONTree = [
      "nodes": nodes, "wires": [JSONTree(stringLiteral: "\(start) -> \(name) -> output")],
    ]
    return graph.json
  }

  private var source: JSONTree {
    guard files.readsRaw else {
      return node(files.readsPeaks ? "peaksSource" : "file", [path(input)])
    }
    let format = files.rawFormat.map { [("format", word($0.rawValue))] } ?? []
    let numbers = [("sampleRate", files.rawSampleRate), ("channels", files.rawChannels)]
    return node(
      "rawFile",
      [path(input)] + format + numbers.map { ($0, JSONTree(number: Double($1 ?? 0))) })
  }

  /// What reduces the audio, or makes a waveform coarser.
  private var middle: JSONTree {
    guard !files.readsPeaks else { return node("peaksZoom", size + reduction.part) }
    let how = reduction.reduce == .minMax ? [] : [("reduce", word(reduction.reduce.rawValue))]
    let channels = reduction.splitChannels ? [("channels", word("split"))] : []
    return node("waveform", (size.isEmpty ? fillingSize : size) + how + channels + reduction.part)
  }

  private var size: [(String, JSONTree)] { reduction.size.map { [($0.name, $0.value)] } ?? [] }

  /// A point for each pixel, of a picture that shows all.
  private var fillingSize: [(String, JSONTree)] {
    guard files.outputKind.isPicture else { return [] }
    let standard = WaveformImage()
    let width = (picture.width ?? standard.width) * (picture.scale ?? standard.scale)
    return [("points", JSONTree(number: Double(width)))]
  }

  private var output: JSONTree {
    let format = [("format", word(files.outputKind.rawValue))]
    guard files.outputKind.isPicture else {
      let bits = reduction.bits.map { [("bits", JSONTree(number: Double($0)))] } ?? []
      let version =
        reduction.datVersion.map { [("datVersion", JSONTree(number: Double($0)))] } ?? []
      return node("peaksSink", [path(files.output)] + format + bits + version)
    }
    let fit = reduction.fills ? [] : [("fit", JSONTree(booleanLiteral: false))]
    return node("waveformImage", [path(files.output)] + format + fit + picture.parameters)
  }

  private func node(_ type: String, _ parameters: [(String, JSONTree)]) -> JSONTree {
    JSONTree(members: [("type", word(type))] + parameters)
  }

  private func path(_ path: String) -> (String, JSONTree) {
    ("path", word(ReferenceText.escaping(path)))
  }

  private func word(_ text: String) -> JSONTree { JSONTree(stringLiteral: text) }
}
