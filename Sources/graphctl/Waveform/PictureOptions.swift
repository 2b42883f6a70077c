import ArgumentParser
import GraphKit

/// How `graphctl waveform` draws. What isn't given is as the node `waveformImage` has it.
struct PictureOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Width of the picture.", valueName: "pixels"))
  var width: Int?

  @Option(name: .shortAndLong, help: ArgumentHelp("Height of the picture.", valueName: "pixels"))
  var height: Int?

  @Option(help: ArgumentHelp("2 gives a picture of twice the size.", valueName: "factor"))
  var scale: Int?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("graphkit, audacity or audition.", valueName: "scheme"))
  var colors: String?

  @Option(help: ArgumentHelp("rrggbb or rrggbbaa.", valueName: "colour")) var borderColor: String?

  @Option(help: ArgumentHelp("rrggbb or rrggbbaa.", valueName: "colour"))
  var backgroundColor: String?

  @Option(
    help: ArgumentHelp("rrggbb or rrggbbaa; several, for channels.", valueName: "colours"))
  var waveformColor: String?

  @Option(help: ArgumentHelp("rrggbb or rrggbbaa.", valueName: "colour"))
  var axisLabelColor: String?

  @Option(help: ArgumentHelp("normal, bars or mirrored.", valueName: "style"))
  var waveformStyle: String?

  @Option(help: ArgumentHelp("Width of a bar.", valueName: "pixels")) var barWidth: Int?

  @Option(help: ArgumentHelp("Gap between bars.", valueName: "pixels")) var barGap: Int?

  @Option(help: ArgumentHelp("square or rounded.", valueName: "style")) var barStyle: String?

  @Flag(inversion: .prefixedNo, help: "Whether there is an axis with times.")
  var axisLabels: Bool?

  @Flag(help: "The same as --axis-labels, as by default; --no-axis-labels goes before it.")
  var withAxisLabels = false

  // Its value may begin with a minus sign.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Compression of a PNG: 0 (none) to 9 (best), or -1.", valueName: "level"))
  var compression: Int?

  @Option(help: ArgumentHelp("What levels are multiplied by, or auto.", valueName: "factor"))
  var amplitudeScale: String?

  /// The node's parameters, as far as any are given.
  var parameters: [(String, JSONTree)] {
    var list: [(String, JSONTree)] = []
    let numbers = [
      ("width", width), ("height", height), ("scale", scale), ("barWidth", barWidth),
      ("barGap", barGap), ("compression", compression == -1 ? nil : compression),
    ]
    let words = [
      ("style", waveformStyle), ("barStyle", barStyle), ("colors", colors),
      ("waveformColor", waveformColor), ("backgroundColor", backgroundColor),
      ("borderColor", borderColor), ("axisLabelColor", axisLabelColor),
    ]
    for case (let name, let value?) in numbers {
      list.append((name, JSONTree(number: Double(value))))
    }
    for case (let name, let value?) in words { list.append((name, JSONTree(stringLiteral: value))) }
    if let amplitudeScale {
      let factor = Double(amplitudeScale).flatMap { $0.isFinite ? $0 : nil }
      let value = factor.map { JSONTree(number: $0) }
      list.append(("amplitudeScale", value ?? JSONTree(stringLiteral: amplitudeScale)))
    }
    if let axisLabels = axisLabels ?? (withAxisLabels ? true : nil) {
      list.append(("axisLabels", JSONTree(booleanLiteral: axisLabels)))
    }
    return list
  }

  /// Options for pictures say nothing of data.
  func refuseForData() throws {
    guard let first = parameters.first?.0 else { return }
    throw ValidationError("`\(first)` is for pictures, and the output is a data file")
  }
}

extension PictureOptions {
  /// As where nothing is given, for who sets it without a parser: what isn't set can't be read.
  static var unset: Self {
    var options = Self()
    (options.width, options.height, options.scale) = (nil, nil, nil)
    (options.colors, options.borderColor, options.backgroundColor) = (nil, nil, nil)
    (options.waveformColor, options.axisLabelColor, options.waveformStyle) = (nil, nil, nil)
    (options.barWidth, options.barGap, options.barStyle) = (nil, nil, nil)
    (options.axisLabels, options.withAxisLabels) = (nil, false)
    (options.compression, options.amplitudeScale) = (nil, nil)
    return options
  }
}
