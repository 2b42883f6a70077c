/// The look of the picture: a light page, and other colours where the reader's pages are dark.
enum SVGStyle {
  static var text: String {
    """
    text { font-family: Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "DejaVu Sans", \
    sans-serif; }
    .page { fill: #ffffff; }
    .box { stroke-width: 1.4; }
    .inserted .box { stroke-dasharray: 5 3.5; }
    .name { font-size: 13px; font-weight: 600; text-anchor: middle; fill: #1b1f24; }
    .type { font-size: 11px; text-anchor: middle; fill: #57606a; }
    .portName { font-size: 10px; fill: #57606a; }
    .right { text-anchor: end; }
    .port { fill: #ffffff; stroke-width: 1.4; }
    .line { fill: none; stroke-width: 1.8; }
    .encodedAudio .line, .encodedVideo .line { stroke-width: 3; }
    .caption, .legend { font-size: 10px; fill: #4a525c; }
    .bound { fill: #7a828c; }
    .queue rect { fill: #ffffff; stroke: #7a828c; stroke-width: 1.2; }
    .queue path { fill: none; stroke: #7a828c; stroke-width: 1.6; }
    .drops rect, .drops path { stroke: #c2410c; }
    .stage rect { fill: #ece5fb; }
    .stage path { fill: none; stroke: #ece5fb; stroke-width: 30; }
    .frame path { fill: none; }
    .inside rect { fill: #f7f5f1; }
    .inside path { stroke: #f7f5f1; }
    .edge rect { fill: #c9c2b4; }
    .edge path { stroke: #c9c2b4; }
    .frameName { font-size: 10px; font-weight: 600; fill: #6b6458; paint-order: stroke; \
    stroke: #f7f5f1; stroke-width: 4px; }
    .swatch { stroke-width: 1.2; }
    \(roles(dark: false))
    \(kinds(dark: false))
    @media (prefers-color-scheme: dark) {
    .page { fill: #0f1318; }
    .name { fill: #eef2f6; }
    .type, .portName { fill: #a8b2bd; }
    .port, .queue rect { fill: #0f1318; }
    .caption, .legend { fill: #b6c0ca; }
    .bound { fill: #8c96a1; }
    .drops rect, .drops path { stroke: #fb923c; }
    .stage rect { fill: #241d38; }
    .stage path { stroke: #241d38; }
    .inside rect { fill: #1b1d20; }
    .inside path { stroke: #1b1d20; }
    .edge rect { fill: #4d483f; }
    .edge path { stroke: #4d483f; }
    .frameName { fill: #b5ac9d; stroke: #1b1d20; }
    \(roles(dark: true))
    \(kinds(dark: true))
    }
    """
  }

  private static func roles(dark: Bool) -> String {
    NodeRole.allCases.map { role in
      let palette = Palette(role)
      let (fill, line) =
        dark ? (palette.darkFill, palette.darkLine) : (palette.fill, palette.line)
      return ".\(role.rawValue) .box, .\(role.rawValue) .swatch { fill: \(fill); "
        + "stroke: \(line); }\n.\(role.rawValue) .port { stroke: \(line); }"
    }.joined(separator: "\n")
  }

  private static func kinds(dark: Bool) -> String {
    let colours: [([MediaKind], String)] = [
      ([.audio, .encodedAudio], dark ? "#4fb8a8" : "#1d8a7a"),
      ([.video, .encodedVideo], dark ? "#8f9cf0" : "#5563c9"),
      ([.peaks], dark ? "#d9a057" : "#b06f1c"),
      ([.measurement, .any], dark ? "#8c96a1" : "#7a828c"),
    ]
    return colours.flatMap { kinds, colour in
      kinds.map {
        ".\($0.rawValue) .line, .sample.\($0.rawValue) { stroke: \(colour); }\n"
          + ".\($0.rawValue) .tip { fill: \(colour); }"
      }
    }.joined(separator: "\n")
  }
}
