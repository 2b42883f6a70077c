import CPango

/// The drawing of text by Cairo: box, shadow, outlines and letters, each above the last.
@safe struct TextCanvas {
  private let canvas: OpaquePointer
  private let pango: PangoFunctions
  private let look: TextLook

  private static let shadowColor: UInt32 = 0xA0

  /// Draws over transparent pixels; `false` where memory runs out.
  static func draw(
    _ layout: borrowing TextLayout, _ rows: [TextRows.Row], _ look: TextLook,
    on drawn: inout DrawnText, _ pango: PangoFunctions
  ) -> Bool {
    let (width, height) = (Int32(clamping: drawn.width), Int32(clamping: drawn.height))
    let (corner, box) = (drawn.corner, drawn.box)
    return unsafe drawn.pixels.withUnsafeMutableBufferPointer { pixels in
      let surface = unsafe pango.cairo_image_surface_create_for_data(
        pixels.baseAddress, Int32(CAIRO_FORMAT_ARGB32), width, height, 4 * width)
      defer { unsafe pango.cairo_surface_destroy(surface) }
      guard let canvas = unsafe pango.cairo_create(surface) else { return false }
      defer { unsafe pango.cairo_destroy(canvas) }
      unsafe pango.cairo_translate(canvas, Double(-corner.x), Double(-corner.y))
      let drawing = unsafe TextCanvas(canvas: canvas, pango: pango, look: look)
      drawing.drawBackground(box)
      if look.shadow > 0 {
        drawing.drawLettersWithShadow(layout, rows)
      } else {
        drawing.drawLetters(layout, rows)
      }
      unsafe pango.cairo_surface_flush(surface)
      unsafe exchangeRedAndBlue(pixels)
      return unsafe pango.cairo_status(canvas) == 0
    }
  }

  private func drawBackground(_ box: (width: Int, height: Int)) {
    guard look.hasBackground else { return }
    set(look.background)
    unsafe pango.cairo_rectangle(canvas, 0, 0, Double(box.width), Double(box.height))
    unsafe pango.cairo_fill(canvas)
  }

  /// Draws the letters above their shape, moved and in one colour.
  private func drawLettersWithShadow(_ layout: borrowing TextLayout, _ rows: [TextRows.Row]) {
    unsafe pango.cairo_push_group(canvas)
    drawLetters(layout, rows)
    let letters = unsafe pango.cairo_pop_group(canvas)
    let offset = Double(look.shadow)
    unsafe pango.cairo_translate(canvas, offset, offset)
    set(Self.shadowColor)
    unsafe pango.cairo_mask(canvas, letters)
    unsafe pango.cairo_translate(canvas, -offset, -offset)
    unsafe pango.cairo_set_source(canvas, letters)
    unsafe pango.cairo_paint(canvas)
    unsafe pango.cairo_pattern_destroy(letters)
  }

  private func drawLetters(_ layout: borrowing TextLayout, _ rows: [TextRows.Row]) {
    if look.outline > 0 {
      set(look.outlineColor)
      let antialias = look.changesOften ? CAIRO_ANTIALIAS_FAST : CAIRO_ANTIALIAS_GRAY
      unsafe pango.cairo_set_antialias(canvas, UInt32(antialias))
      unsafe pango.cairo_set_line_width(canvas, 2 * look.outline)
      unsafe pango.cairo_set_line_join(canvas, UInt32(CAIRO_LINE_JOIN_ROUND))
      for row in rows {
        unsafe pango.cairo_move_to(canvas, Double(row.x), Double(row.baseline))
        unsafe layout.addPath(ofLine: row.line, to: canvas)
        unsafe pango.cairo_stroke(canvas)
      }
    }
    set(look.color)
    for row in rows {
      unsafe pango.cairo_move_to(canvas, Double(row.x), Double(row.baseline))
      unsafe layout.show(line: row.line, on: canvas)
    }
  }

  private func set(_ color: UInt32) {
    func channel(_ shift: UInt32) -> Double { Double(color >> shift & 0xFF) / 255 }
    unsafe pango.cairo_set_source_rgba(canvas, channel(24), channel(16), channel(8), channel(0))
  }

  /// Puts red first: Cairo stores the numbers 0xAARRGGBB.
  private static func exchangeRedAndBlue(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
    unsafe pixels.withMemoryRebound(to: UInt32.self) { pixels in
      for index in pixels.indices {
        let pixel = unsafe pixels[index]
        let exchanged = pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | (pixel >> 16) & 0xFF
        unsafe pixels[index] = exchanged.littleEndian
      }
    }
  }
}
