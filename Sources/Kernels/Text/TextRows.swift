/// The lines of a layout with their positions in the text's box.
///
/// Baselines are at least 1.2 sizes apart, and further where a font needs it.
struct TextRows {
  /// A line with the start of its baseline.
  struct Row {
    var line: Int
    var x: Int
    var baseline: Int
  }

  private(set) var rows: [Row] = []
  /// The size of the box.
  private(set) var box = (width: 0, height: 0)
  /// The pixels that may not be transparent, seen from the box's corner; `nil` for none.
  private(set) var ink: PixelBounds?

  /// What of very long text is drawn: all that can be in a frame.
  private static let limits = PixelBounds(left: -2048, top: -2048, right: 14_336, bottom: 14_336)

  init(_ layout: borrowing TextLayout, _ look: TextLook) {
    var lines: [(ink: PixelBounds?, width: Int, baseline: Int)] = []
    var (y, widest) = (look.border, 0)
    for index in 0..<max(0, layout.lineCount) where y < Self.limits.bottom {
      let (ink, logical) = layout.extents(ofLine: index)
      let (ascent, width) = (max(look.ascent, -logical.top), max(0, logical.right))
      lines.append((ink, width, y + ascent))
      y += max(look.lineHeight, ascent + max(0, logical.bottom))
      widest = max(widest, width)
    }
    for (index, line) in lines.enumerated() {
      let x = look.border + Int(Double(widest - line.width) * look.alignment)
      rows.append(Row(line: index, x: x, baseline: line.baseline))
      add(line.ink?.moved(x: x, y: line.baseline).grown(by: Int(look.outline.rounded(.up)) + 1))
    }
    add(ink?.moved(x: look.shadow, y: look.shadow))
    let limits = Self.limits
    box = (min(widest + 2 * look.border, limits.right), min(y + look.border, limits.bottom))
    if look.hasBackground {
      add(PixelBounds(left: 0, top: 0, right: box.width, bottom: box.height))
    }
    ink = ink?.clipped(to: limits)
  }

  private mutating func add(_ bounds: PixelBounds?) {
    guard let bounds else { return }
    ink = ink?.union(bounds) ?? bounds
  }
}

/// A rectangle of whole pixels.
struct PixelBounds {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  var width: Int { right - left }
  var height: Int { bottom - top }

  func moved(x: Int, y: Int) -> PixelBounds {
    PixelBounds(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
  }

  func grown(by pixels: Int) -> PixelBounds {
    PixelBounds(
      left: left - pixels, top: top - pixels, right: right + pixels, bottom: bottom + pixels)
  }

  func union(_ other: PixelBounds) -> PixelBounds {
    PixelBounds(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  /// What is inside another rectangle; `nil` for nothing.
  func clipped(to limits: PixelBounds) -> PixelBounds? {
    let clipped = PixelBounds(
      left: max(left, limits.left), top: max(top, limits.top), right: min(right, limits.right),
      bottom: min(bottom, limits.bottom))
    return clipped.width > 0 && clipped.height > 0 ? clipped : nil
  }
}
