import CPango

/// Text in lines, as Pango breaks and shapes it.
@safe struct TextLayout: ~Copyable {
  private let pango: PangoFunctions
  private let layout: OpaquePointer

  /// `nil` where memory runs out.
  init?(_ text: String, _ look: TextLook, _ pango: PangoFunctions, _ context: OpaquePointer) {
    guard let layout = unsafe pango.pango_layout_new(context) else { return nil }
    unsafe self.layout = layout
    self.pango = pango
    let font = FontDescription(look, pango)
    unsafe pango.pango_layout_set_font_description(layout, font.description)
    if look.wrapWidth > 0 {
      let width = Int32(clamping: min(look.wrapWidth, 1 << 20) * PANGO_SCALE)
      unsafe pango.pango_layout_set_width(layout, width)
      unsafe pango.pango_layout_set_wrap(layout, UInt32(PANGO_WRAP_WORD_CHAR))
    }
    unsafe pango.pango_layout_set_text(layout, Self.plain(text), -1)
  }

  deinit { unsafe pango.g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// Text without the characters that would end it or that no font has.
  private static func plain(_ text: String) -> String {
    func isControl(_ value: UInt32) -> Bool { value < 0x20 && value != 0x0A }
    guard text.utf8.contains(where: { isControl(UInt32($0)) }) else { return text }
    let scalars = text.unicodeScalars.map { isControl($0.value) ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  var lineCount: Int { Int(unsafe pango.pango_layout_get_line_count(layout)) }

  /// Whether it has characters that no font has.
  var lacksGlyphs: Bool { unsafe pango.pango_layout_get_unknown_glyphs_count(layout) > 0 }

  /// The pixels that a line covers, seen from the start of its baseline: those with ink, `nil` for
  /// none, and those that the font asks for.
  func extents(ofLine index: Int) -> (ink: PixelBounds?, logical: PixelBounds) {
    var (ink, logical) = (PangoRectangle(), PangoRectangle())
    unsafe pango.pango_layout_line_get_extents(line(index), &ink, &logical)
    return (ink.width > 0 ? PixelBounds(ink) : nil, PixelBounds(logical))
  }

  /// Draws a line at the current point.
  func show(line index: Int, on canvas: OpaquePointer) {
    unsafe pango.pango_cairo_show_layout_line(canvas, line(index))
  }

  /// Adds the shapes of a line's letters to the current path.
  func addPath(ofLine index: Int, to canvas: OpaquePointer) {
    unsafe pango.pango_cairo_layout_line_path(canvas, line(index))
  }

  private func line(_ index: Int) -> OpaquePointer? {
    unsafe pango.pango_layout_get_line_readonly(layout, Int32(clamping: index))
  }
}

/// A font as Pango looks it up.
@safe struct FontDescription: ~Copyable {
  private let pango: PangoFunctions
  let description: OpaquePointer?

  init(_ look: TextLook, _ pango: PangoFunctions) {
    self.pango = pango
    unsafe description = pango.pango_font_description_new()
    let weight = look.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL
    let style = look.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL
    unsafe pango.pango_font_description_set_family(description, look.family)
    unsafe pango.pango_font_description_set_weight(description, UInt32(weight))
    unsafe pango.pango_font_description_set_style(description, UInt32(style))
    unsafe pango.pango_font_description_set_absolute_size(
      description, look.size * Double(PANGO_SCALE))
  }

  deinit { unsafe pango.pango_font_description_free(description) }

  /// The family of the font that Pango finds; `nil` for none.
  func foundFamily(in context: OpaquePointer) -> String? {
    guard let font = unsafe pango.pango_context_load_font(context, description) else { return nil }
    defer { unsafe pango.g_object_unref(UnsafeMutableRawPointer(font)) }
    let found = unsafe pango.pango_font_describe(font)
    defer { unsafe pango.pango_font_description_free(found) }
    return unsafe pango.pango_font_description_get_family(found).map { unsafe String(cString: $0) }
  }
}

extension PixelBounds {
  /// The pixels that a rectangle of Pango's touches.
  fileprivate init(_ rectangle: PangoRectangle) {
    func pixel(_ a: Int32, _ b: Int32, _ rule: FloatingPointRoundingRule) -> Int {
      Int(((Double(a) + Double(b)) / Double(PANGO_SCALE)).rounded(rule))
    }
    self.init(
      left: pixel(rectangle.x, 0, .down), top: pixel(rectangle.y, 0, .down),
      right: pixel(rectangle.x, rectangle.width, .up),
      bottom: pixel(rectangle.y, rectangle.height, .up))
  }
}
