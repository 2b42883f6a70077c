import CPango
import Glibc
import Synchronization

/// Draws text by Pango and Cairo: fonts and their fallbacks, shaping, both directions of writing,
/// line breaks.
///
/// The libraries are loaded when the first text is drawn. There is one renderer in a process, so
/// that all text shares the fonts and the letters that were drawn; it draws one text at a time, on
/// any thread.
package final class TextRenderer: Sendable {
  /// Why no text can be drawn.
  package enum Failure: Error, Equatable {
    /// A library isn't installed, or too old.
    case missing(String)
    /// Memory ran out.
    case failed
  }

  /// Whether the fonts of a look are installed.
  package enum FontState: Sendable { case installed, replaced, noFonts }

  /// What is kept as long as the process; the context has the fonts.
  @safe private struct State {
    let pango: PangoFunctions
    let context: OpaquePointer
  }

  private let state: Mutex<State>

  /// The renderer of this process.
  package static func shared() throws(Failure) -> TextRenderer { try loaded.get() }
  private static let loaded = Result { () throws(Failure) in
    try TextRenderer(library: "libpangocairo-1.0.so.0")
  }

  /// A renderer by the library of a name.
  package init(library name: String) throws(Failure) {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw .missing(name) }
    var isComplete = false
    let pango = unsafe pango_functions_load(library, &isComplete)
    guard isComplete, let fonts = unsafe pango.pango_cairo_font_map_new(),
      let context = unsafe pango.pango_font_map_create_context(fonts)
    else { throw .missing(name) }
    // Not as the desktop's settings have it: the same text gives the same pixels everywhere.
    let options = unsafe pango.cairo_font_options_create()
    unsafe pango.cairo_font_options_set_antialias(options, UInt32(CAIRO_ANTIALIAS_GRAY))
    unsafe pango.cairo_font_options_set_hint_style(options, UInt32(CAIRO_HINT_STYLE_NONE))
    unsafe pango.pango_cairo_context_set_font_options(context, options)
    unsafe pango.cairo_font_options_destroy(options)
    state = Mutex(unsafe State(pango: pango, context: context))
  }

  /// Draws text, whose control characters are spaces but for line feeds. Of text that is larger
  /// than any frame the beginning is drawn, and at most so many pixels.
  package func draw(
    _ text: String, _ look: TextLook, maximumPixelCount: Int
  ) throws(Failure) -> DrawnText {
    let drawn = state.withLock { state -> DrawnText? in
      let (pango, context) = unsafe (state.pango, state.context)
      guard let layout = unsafe TextLayout(text, look, pango, context) else { return nil }
      let rows = TextRows(layout, look)
      var drawn = DrawnText()
      drawn.box = rows.box
      guard let ink = rows.ink else { return drawn }
      drawn.corner = (ink.left, ink.top)
      drawn.width = ink.width
      drawn.height = min(ink.height, max(1, maximumPixelCount / ink.width))
      drawn.pixels = [UInt8](repeating: 0, count: drawn.width * drawn.height * 4)
      return TextCanvas.draw(layout, rows.rows, look, on: &drawn, pango) ? drawn : nil
    }
    guard let drawn else { throw .failed }
    return drawn
  }

  /// The first character of a text that no font has; `nil` where fonts have all of them.
  package func missingCharacter(of text: String, _ look: TextLook) -> Unicode.Scalar? {
    state.withLock { state in
      func lacksGlyphs(_ text: String) -> Bool {
        guard let layout = unsafe TextLayout(text, look, state.pango, state.context) else {
          return false
        }
        return layout.lacksGlyphs
      }
      guard lacksGlyphs(text) else { return nil }
      var seen: Set<Unicode.Scalar> = []
      return text.unicodeScalars.first { seen.insert($0).inserted && lacksGlyphs(String($0)) }
    }
  }

  /// Whether a font is there, rather than one in its place: then the same one is found with
  /// fallbacks of two kinds.
  package func state(ofFont family: String) -> FontState {
    state.withLock { state in
      func found(_ fallback: String) -> String? {
        var look = TextLook()
        look.family = "\(family), \(fallback)"
        return unsafe FontDescription(look, state.pango).foundFamily(in: state.context)
      }
      guard let monospace = found("monospace") else { return .noFonts }
      return monospace == found("serif") ? .installed : .replaced
    }
  }
}
