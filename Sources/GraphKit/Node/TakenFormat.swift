import Media

extension FormatConstraint {
  /// The same without sizes and rates of frames, which may change in the middle of a stream.
  package var ofAnySize: FormatConstraint {
    var constraint = self
    (constraint.width, constraint.height, constraint.frameRate) = (nil, nil, nil)
    return constraint
  }

  /// Whether samples of a format may pass, of one that has a name.
  package func takes(_ format: MediaFormat) -> Bool {
    if case .other = format { return true }
    return accepts(format)
  }
}

extension [PortDeclaration] {
  /// The declaration of an input, by the name that wires have of it: those of a repeatable one have numbers.
  package func input(named name: String) -> PortDeclaration? {
    first { port in
      port.direction == .input
        && (port.name == name || port.isRepeatable && name.hasPrefix("\(port.name)."))
    }
  }
}
