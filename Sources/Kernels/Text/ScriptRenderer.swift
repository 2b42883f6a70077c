import CASS
import Glibc
import Synchronization

/// Draws the subtitles of a script of Advanced SubStation Alpha (ASS) or SubStation Alpha (SSA) by libass:
/// styles, positions, movement, karaoke, drawings.
///
/// The library is loaded with the first script. Any thread may draw; one frame is drawn at a time.
package final class ScriptRenderer: Sendable {
  /// Why no script can be drawn.
  package enum Failure: Error, Equatable {
    /// The library isn't installed, or too old.
    case missing(String)
    /// The text is no script.
    case notAScript
    /// Memory ran out.
    case failed
  }

  /// What is shown at a time.
  package enum Frame: Sendable {
    /// The same as at the time that was asked for before.
    case same
    case nothing
    /// Its box is the frame.
    case picture(DrawnText)
  }

  @safe private struct State {
    let script: LoadedScript
    let renderer: OpaquePointer
    let width: Int
    let height: Int
  }

  private let state: Mutex<State>

  /// Throws where there is no library, or a script is none; fonts aren't looked for.
  package static func check(_ script: [UInt8]) throws(Failure) { try LoadedScript(script).free() }

  /// A renderer of a script on frames of a size in pixels, each so many times as wide as it is high; also
  /// with the fonts in a folder.
  package init(
    _ script: [UInt8], width: Int, height: Int, pixelShape: Double, fonts: String? = nil
  ) throws(Failure) {
    let script = try LoadedScript(script)
    let (ass, library) = unsafe (script.ass, script.library)
    if let fonts { unsafe ass.ass_set_fonts_dir(library, fonts) }
    guard let renderer = unsafe ass.ass_renderer_init(library) else {
      script.free()
      throw .failed
    }
    unsafe ass.ass_set_frame_size(renderer, Int32(clamping: width), Int32(clamping: height))
    unsafe ass.ass_set_storage_size(renderer, Int32(clamping: width), Int32(clamping: height))
    // It makes all so much wider.
    unsafe ass.ass_set_pixel_aspect(renderer, 1 / pixelShape)
    unsafe ass.ass_set_fonts(
      renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT), nil, 1)
    state = Mutex(unsafe State(script: script, renderer: renderer, width: width, height: height))
  }

  deinit {
    state.withLock { state in
      unsafe state.script.ass.ass_renderer_done(state.renderer)
      state.script.free()
    }
  }

  /// What is shown so many milliseconds after the beginning.
  package func frame(at milliseconds: Int) -> Frame {
    state.withLock { state in
      var change: Int32 = 0
      let first = unsafe state.script.ass.ass_render_frame(
        state.renderer, state.script.track, Int64(milliseconds), &change)
      guard change != 0 else { return .same }
      let bitmaps = unsafe ScriptBitmap.all(from: first)
      guard var drawn = DrawnText(around: bitmaps) else { return .nothing }
      drawn.box = (state.width, state.height)
      for bitmap in bitmaps { bitmap.lay(on: &drawn) }
      return .picture(drawn)
    }
  }
}

/// A script that libass has read.
@safe private struct LoadedScript {
  let ass: ASSFunctions
  let library: OpaquePointer
  let track: OpaquePointer

  init(_ script: [UInt8]) throws(ScriptRenderer.Failure) {
    ass = try Self.functions.get()
    guard let library = unsafe ass.ass_library_init() else { throw .failed }
    unsafe withUnsafePointer(to: ass) { unsafe ass_keep_silent($0, library) }
    unsafe ass.ass_set_extract_fonts(library, 1)
    var bytes = script.map { CChar(bitPattern: $0) }
    guard let track = unsafe ass.ass_read_memory(library, &bytes, bytes.count, nil) else {
      unsafe ass.ass_library_done(library)
      throw .notAScript
    }
    unsafe (self.library, self.track) = (library, track)
  }

  /// Gives all of it back; what draws it must be gone.
  func free() {
    unsafe ass.ass_free_track(track)
    unsafe ass.ass_library_done(library)
  }

  private static let functions = Result { () throws(ScriptRenderer.Failure) in
    try load("libass.so.9")
  }

  private static func load(_ name: String) throws(ScriptRenderer.Failure) -> ASSFunctions {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw .missing(name) }
    var isComplete = false
    let ass = unsafe ass_functions_load(library, &isComplete)
    guard isComplete else { throw .missing(name) }
    return ass
  }
}

/// A bitmap of opacity in one colour, which lasts until the next frame is drawn.
@safe private struct ScriptBitmap {
  let (left, top, width, height): (Int, Int, Int, Int)
  private let stride: Int
  private let color: UInt32
  private let opacities: UnsafeMutablePointer<UInt8>

  /// Those of a list that have pixels.
  static func all(from first: UnsafeMutablePointer<ASS_Image>?) -> [ScriptBitmap] {
    var (bitmaps, next) = unsafe ([ScriptBitmap](), first)
    while let image = unsafe next {
      if let bitmap = unsafe ScriptBitmap(image) { bitmaps.append(bitmap) }
      unsafe next = image.pointee.next
    }
    return bitmaps
  }

  private init?(_ image: UnsafeMutablePointer<ASS_Image>) {
    let (width, height) = unsafe (image.pointee.w, image.pointee.h)
    guard width > 0, height > 0, let bytes = unsafe image.pointee.bitmap else { return nil }
    (self.width, self.height) = (Int(width), Int(height))
    (left, top) = unsafe (Int(image.pointee.dst_x), Int(image.pointee.dst_y))
    (stride, color) = unsafe (Int(image.pointee.stride), image.pointee.color)
    unsafe opacities = bytes
  }

  /// Lays it over what is drawn, which is as large at least.
  func lay(on drawn: inout DrawnText) {
    let opacity = 255 - color & 0xFF
    let channels = (color >> 24, color >> 16 & 0xFF, color >> 8 & 0xFF)
    for row in 0..<height {
      var place = ((top - drawn.corner.y + row) * drawn.width + left - drawn.corner.x) * 4
      for column in 0..<width {
        let alpha = UInt32(unsafe opacities[row * stride + column]) * opacity
        if alpha > 0 { drawn.pixels.lay(channels, alpha, at: place) }
        place += 4
      }
    }
  }
}

extension DrawnText {
  /// Transparent pixels where there are bitmaps; `nil` where there are none.
  fileprivate init?(around bitmaps: [ScriptBitmap]) {
    guard let left = bitmaps.map(\.left).min(), let top = bitmaps.map(\.top).min(),
      let right = bitmaps.map({ $0.left + $0.width }).max(),
      let bottom = bitmaps.map({ $0.top + $0.height }).max()
    else { return nil }
    corner = (left, top)
    (width, height) = (right - left, bottom - top)
    pixels = [UInt8](repeating: 0, count: width * height * 4)
  }
}

extension [UInt8] {
  /// Lays a colour over a pixel whose own is multiplied by its alpha; `alpha` is of 65,025.
  fileprivate mutating func lay(
    _ color: (UInt32, UInt32, UInt32), _ alpha: UInt32, at place: Int
  ) {
    func mixed(_ new: UInt32, _ old: UInt8) -> UInt8 {
      UInt8(truncatingIfNeeded: (new * alpha + UInt32(old) * (65_025 - alpha) + 32_512) / 65_025)
    }
    self[place] = mixed(color.0, self[place])
    self[place + 1] = mixed(color.1, self[place + 1])
    self[place + 2] = mixed(color.2, self[place + 2])
    self[place + 3] = mixed(255, self[place + 3])
  }
}
