/// A wire's two ends agree on its format wherever no converter makes them.
enum FormatMismatch: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.wires.compactMap { wire in
      guard let fact = WireFact(wire), let input = wire.input,
        PortChoice.Fit(fact.gives, fact.takes) >= .anything,
        let conflict = conflict(wire.format, input.format)
      else { return nil }
      let encoders =
        fact.takes.isEncoded
        ? draft.catalog.encoders(from: fact.gives, to: input.format) : []
      return Diagnostic(
        .fit(.formatConflict(fact, conflict, encoders: encoders)), at: wire.to.place,
        node: fact.to.node, port: fact.to.port)
    }
  }

  private static func conflict(
    _ a: FormatConstraint, _ b: FormatConstraint
  ) -> FormatConflict? {
    do throws(FormatConflict) {
      _ = try a.unconvertible.intersection(b.unconvertible)
      return nil
    } catch {
      return error
    }
  }
}

extension FormatConstraint {
  /// What no converter changes: of raw media the frame rate, of encoded media everything.
  fileprivate var unconvertible: FormatConstraint {
    if kind.isEncoded { return self }
    var rest = FormatConstraint(kind)
    rest.frameRate = frameRate
    return rest
  }
}
