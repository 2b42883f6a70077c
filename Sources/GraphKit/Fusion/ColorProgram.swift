import GStreamer
import Kernels

/// How a colour function is run on frames of one format.
struct ColorProgram: Sendable {
  /// `nil` where the function changes nothing.
  private let work: ColorChange?
  private let layout: ColorLayout

  /// Finds the quickest way that is right; `old` gives its memory where it can be used.
  init(_ function: ColorFunction, layout: ColorLayout, replacing old: ColorProgram?) throws {
    self.layout = layout
    let affine = function.affine
    if affine?.isNearIdentity == true {
      work = nil
    } else if let matrix = affine.flatMap({ Self.matrix($0, function) }) {
      work = .matrix(matrix)
    } else if let curves = Self.curves(function, layout) {
      work = .matrix(curves)
    } else {
      work = .table(try Self.table(function, replacing: old))
    }
  }

  private static func matrix(_ affine: ColorTransform, _ function: ColorFunction) -> ColorMatrix? {
    var scaled = affine
    scaled.offset *= 255
    let (decode, encode) = (function.decoding.then(scaled), function.encoding)
    return ColorMatrix(decode: decode.rows, encode: encode.rows)
  }

  /// Curves between the matrices, where each channel goes by itself.
  private static func curves(_ function: ColorFunction, _ layout: ColorLayout) -> ColorMatrix? {
    guard let curves = function.channelCurves else { return nil }
    // A place of the table and a half may be missed where colours are worked out, by no more than 3.
    let steepest = layout == .packed ? 255 : 2.0
    guard let tables = ColorCurves(steepest: steepest, curves) else { return nil }
    return ColorMatrix(
      decode: function.decoding.rows, encode: function.encoding.rows, curves: tables)
  }

  private static func table(
    _ function: ColorFunction, replacing old: ColorProgram?
  ) throws -> ColorTable {
    let change: ColorTable.Function = { function.values(function.shown(SIMD3<Double>($0))) }
    if case .table(let table)? = old?.work {
      table.replace(change)
      return table
    }
    guard let table = ColorTable(change) else {
      throw NodeError(
        "no memory for a table of colours, 64 MiB", remedy: "give the process more memory")
    }
    return table
  }

  /// The frame with its colours changed: in its own memory where it is the only holder, else in
  /// another's, in one pass.
  func result(on sample: consuming SampleBuffer) throws(NodeError) -> SampleBuffer {
    guard let work else { return sample }
    if var result = sample.freshFrame() {
      var frame = try result.videoFrame()
      try check(frame.apply(work, to: sample, as: layout))
      return result
    }
    var frame = try sample.videoFrame()
    try check(frame.apply(work, as: layout))
    return sample
  }

  private func check(_ isDone: Bool) throws(NodeError) {
    guard isDone else {
      throw NodeError("a frame is smaller than its format", remedy: "look at what made it")
    }
  }
}

extension ColorTransform {
  fileprivate var rows: [ColorMatrix.Row] {
    [(first, offset.x), (second, offset.y), (third, offset.z)]
  }

  /// Whether no colour from 0 to 1 moves by as much as could be seen in 8 bits.
  fileprivate var isNearIdentity: Bool {
    [SIMD3.zero, SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].allSatisfy { corner in
      let moved = self(corner) - corner
      let limit = SIMD3(repeating: 0.1 / 255)
      return all(moved .<= limit .& (moved .>= -limit))
    }
  }
}
