import GStreamer

/// How a colour function is run on frames of one format.
struct ColorProgram: Sendable {
  private enum Work: Sendable {
    /// The function changes nothing.
    case nothing
    case matrix(ColorMatrix)
    case table(ColorTable)
  }

  private let work: Work
  private let layout: ColorLayout

  /// Finds the quickest way that is right; `old` gives its memory where it can be used.
  init(_ function: ColorFunction, layout: ColorLayout, replacing old: ColorProgram?) throws {
    self.layout = layout
    if let affine = function.affine, let work = Self.matrix(affine, function) {
      self.work = work
    } else {
      work = .table(try Self.table(function, replacing: old))
    }
  }

  /// Whether frames stay as they are.
  var isIdentity: Bool { if case .nothing = work { true } else { false } }

  private static func matrix(_ affine: ColorTransform, _ function: ColorFunction) -> Work? {
    if affine.isNearIdentity { return .nothing }
    var scaled = affine
    scaled.offset *= 255
    let (decode, encode) = (function.decoding.then(scaled), function.encoding)
    return ColorMatrix(decode: decode.rows, encode: encode.rows).map(Work.matrix)
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

  /// Changes a frame.
  func apply(to frame: inout VideoFrame) throws(NodeError) {
    let isDone =
      switch work {
      case .nothing: true
      case .matrix(let matrix): frame.apply(matrix, as: layout)
      case .table(let table): frame.apply(table, as: layout)
      }
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
