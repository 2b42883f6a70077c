/// How text looks. Colours are red, green, blue and straight alpha, from the highest byte down.
package struct TextLook: Hashable, Sendable {
  /// The font's family, or several with commas between them.
  package var family = "sans-serif"
  /// The font's size in pixels.
  package var size = 32.0
  package var isBold = false
  package var isItalic = false
  package var color: UInt32 = 0xFFFF_FFFF
  /// The outline's width in pixels; 0 for none.
  package var outline = 0.0
  package var outlineColor: UInt32 = 0xFF
  /// Pixels by which a shadow is shifted to the right and down; 0 for none.
  package var shadow = 0
  /// The colour of a box below the text.
  package var background: UInt32 = 0
  /// Where lines are that are shorter than the longest: from left (0) to right (1).
  package var alignment = 0.0
  /// The width in pixels to which lines are wrapped; 0 where they aren't.
  package var wrapWidth = 0
  /// Whether the text is drawn for every frame: then the edges of outlines have 16 levels of opacity
  /// rather than 255, which takes less than half the time.
  package var changesOften = false

  package init() {}

  /// Whether there is a box to be seen.
  var hasBackground: Bool { background & 0xFF != 0 }

  /// Pixels from one baseline to the next, at least.
  var lineHeight: Int { Int((size * 1.2).rounded(.up)) }
  /// Pixels from a line's upper edge to its baseline, at least.
  var ascent: Int { Int((size * 0.95).rounded(.up)) }
  /// Pixels of the box on each side of the lines.
  var border: Int {
    Int(outline.rounded(.up)) + (hasBackground ? Int((size / 3).rounded()) : 0)
  }
}

/// Text that was drawn.
package struct DrawnText: Sendable {
  /// Red, green, blue and alpha of each pixel, times alpha, row after row.
  package var pixels: [UInt8] = []
  package var width = 0
  package var height = 0
  /// The upper left corner of the pixels, seen from that of the box. Letters may lean out of it.
  package var corner = (x: 0, y: 0)
  /// The size of the lines with their outline and background.
  package var box = (width: 0, height: 0)
}
