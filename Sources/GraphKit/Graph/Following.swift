/// How an output's format depends on the input that it follows.
///
/// A field is handed on where the output leaves it open, and where both ports list the same
/// values for it, as those of an effect that works in place do. Any other field is the output's
/// own: a scaler's width is. The size of what a reshaping node makes is as that node says, and
/// nothing that follows it can ask for another.
struct Following {
  let input: PortDeclaration
  let output: PortDeclaration
  private let node: any Node

  /// The pair of an output and what it follows; `nil` where it follows nothing.
  init?(_ output: PortDeclaration, of node: any Node, ports: [PortDeclaration]) {
    guard let name = output.follows,
      let input = ports.first(where: { $0.name == name && $0.direction == .input })
    else { return nil }
    self.input = input
    self.output = output
    self.node = node
  }

  /// What comes out where `format` comes in and the output's own fields are those of `own`.
  func carried(_ format: FormatConstraint, own: FormatConstraint) -> FormatConstraint {
    var result = own
    if result.kind == .any { result.kind = format.kind }
    // What is raw already passes through a decoder.
    let keepsKind = keepsKind || format.kind == output.format.kind
    // What hands on any codec gives the one that comes, whatever was wished for.
    if keepsKind, result.codecs.isEmpty || output.format.codecs.isEmpty && !format.codecs.isEmpty {
      result.codecs = format.codecs
    }
    result.bitDepth = format.bitDepth
    let reshaped = node.reshaped(format)
    for field in handedOn(keepsKind, reshapes: reshaped != nil) { field.copy(format, &result) }
    guard let reshaped else { return result }
    result.width = own.width ?? reshaped.width
    result.height = own.height ?? reshaped.height
    result.rotation = reshaped.rotation
    return result
  }

  /// What the input should be so that `wanted` comes out.
  func pulledBack(_ wanted: FormatConstraint) -> FormatConstraint {
    var result = input.format
    if keepsKind, result.kind == .any { result.kind = wanted.kind }
    for field in handedOn(keepsKind, reshapes: node.reshapesVideo) where !field.isOpen(wanted) {
      field.copy(wanted, &result)
    }
    return result
  }

  private var keepsKind: Bool {
    input.format.kind == output.format.kind || output.format.kind == .any
  }

  private func handedOn(_ keepsKind: Bool, reshapes: Bool) -> [FormatField] {
    FormatField.all.filter {
      (keepsKind || $0.outlivesCoding) && (!reshapes || !$0.isOfShape)
        && ($0.isOpen(output.format) || $0.agrees(input.format, output.format))
    }
  }
}
