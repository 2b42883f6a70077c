/// A number is in the range that its parameter declares.
enum ParameterRange: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    node.values(of: type).compactMap { field, info in
      guard case .number(let number) = field.value.value, let bounds = info.kind.bounds,
        !(bounds.low...bounds.high).contains(number)
      else { return nil }
      let problem = NodeProblem.outOfRange(
        info.name, value: field.value.value, low: .number(bounds.low), high: .number(bounds.high),
        unit: info.unit)
      return Diagnostic(
        .node(problem), at: field.value.place, node: node.name.value, key: info.name)
    }
  }
}

extension ParameterKind {
  /// The least and the greatest value of a number.
  var bounds: (low: Double, high: Double)? {
    switch self {
    case .integer(let range): (Double(range.lowerBound), Double(range.upperBound))
    case .number(let range), .numberOrWord(let range, _): (range.lowerBound, range.upperBound)
    default: nil
    }
  }
}
