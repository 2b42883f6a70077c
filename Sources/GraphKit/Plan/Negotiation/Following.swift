/// How an output's format hangs on the input that it follows.
///
/// A field is handed on where the output leaves it open, and where both ports list the same
/// values for it, as those of an effect that works in place do. Any other field is the output's
/// own: a scaler's width is. The size of what a reshaping node makes is as that node says, and
/// nothing that follows it can ask for another.
struct Following {
  let input: PortDeclaration
  let output: PortDeclaration
  private let node: any Node
  private let reshapes: Bool

  /// The pair of an output and what it follows; `nil` where it follows nothing.
  init?(_ output: PortDeclaration, of node: PlanNode) {
    guard let name = output.follows, let input = node.port(name, .input) else { return nil }
    self.input = input
    self.output = output
    self.node = node.node
    reshapes = node.node.reshapesVideo
  }

  /// What comes out where `format` comes in and the output's own fields are those of `own`.
  func carried(_ format: FormatConstraint, own: FormatConstraint) -> FormatConstraint {
    var result = own
    if result.kind == .any { result.kind = format.kind }
    if keepsKind, result.codecs.isEmpty { result.codecs = format.codecs }
    for field in handedOn { field.copy(format, &result) }
    guard let reshaped = node.reshaped(format) else { return result }
    result.width = own.width ?? reshaped.width
    result.height = own.height ?? reshaped.height
    result.rotation = reshaped.rotation
    return result
  }

  /// What the input should be so that `wanted` comes out.
  func pulledBack(_ wanted: FormatConstraint) -> FormatConstraint {
    var result = input.format
    if keepsKind, result.kind == .any { result.kind = wanted.kind }
    for field in handedOn where !field.isOpen(wanted) { field.copy(wanted, &result) }
    return result
  }

  private var keepsKind: Bool {
    input.format.kind == output.format.kind || output.format.kind == .any
  }

  private var handedOn: [FormatField] {
    FormatField.all.filter {
      (keepsKind || $0.outlivesCoding) && (!reshapes || !$0.isOfShape)
        && ($0.isOpen(output.format) || $0.agrees(input.format, output.format))
    }
  }
}
