/// Keyframes are those of a parameter that may change while the graph runs, each later than the one
/// before.
enum KeyframeOrder: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    node.keyframes(of: type).compactMap { field, info -> Diagnostic? in
      guard info.isLive else {
        let live = type.parameters.filter(\.isLive).map(\.name)
        let problem = NodeProblem.notLive(info.name, type: type.name, live: live)
        return Diagnostic(
          .node(problem), at: field.value.place, node: node.name.value, key: info.name)
      }
      do throws(NodeError) {
        _ = try Keyframes(field.value.value, of: info)
        return nil
      } catch {
        return node.stated(error)
      }
    }
  }
}

extension DraftNode {
  /// The fields that are lists of keyframes.
  func keyframes(of type: NodeType) -> [(field: DraftField, info: NodeType.ParameterInfo)] {
    fields.compactMap { field in
      type.parameters.first { $0.name == field.key.value }.flatMap { info in
        Keyframes.areWritten(field.value.value, for: info.kind) ? (field, info) : nil
      }
    }
  }

  /// The node as it is at each keyframe of any of its parameters.
  func atKeyframes(of type: NodeType) -> [any Node] {
    guard let node else { return [] }
    let values = fields.map { ($0.key.value, $0.value.value) }
    let tracks = Keyframes.all(in: Dictionary(values, uniquingKeysWith: { $1 }), of: type)
    return Set(tracks.values.flatMap(\.moments)).sorted().map { moment in
      var changed = node
      for (name, track) in tracks { _ = type.set(name, to: track.value(at: moment), of: &changed) }
      return changed
    }
  }
}

extension DraftField {
  /// The field with the value of each keyframe, where it has keyframes; else itself.
  func values(of kind: ParameterKind) -> [DraftField] {
    guard Keyframes.areWritten(value.value, for: kind), case .array(let items) = value.value else {
      return [self]
    }
    return items.enumerated().compactMap { index, item in
      guard case .array(let parts) = item, parts.count >= 2 else { return nil }
      var field = self
      field.value = Located(parts[1], at: places["[\(index)]"] ?? value.place)
      return field
    }
  }
}
