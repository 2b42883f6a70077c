/// A step of `whenSlow` that is being checked.
struct DraftStep {
  /// What is done.
  enum Action {
    case previews, effects, frameRate
    case pause
    case set([DraftField])
    case keepEvery(Located<Int>)
  }

  var action: Action
  /// The node that it names; empty where it names none.
  var node = Located("")
}

extension DraftStep {
  init(_ step: EconomyStep) {
    let action: Action =
      switch step {
      case .previews: .previews
      case .effects: .effects
      case .frameRate: .frameRate
      case .pause: .pause
      case .set(_, let values):
        .set(
          values.sorted { $0.key < $1.key }.map {
            DraftField(key: Located($0.key), value: Located($0.value), isUntyped: false)
          })
      case .keepEvery(let share, _): .keepEvery(Located(share))
      }
    self.init(action: action, node: Located(step.node ?? ""))
  }

  /// The step of a graph in which nothing is wrong.
  var step: EconomyStep {
    let name = node.value
    return switch action {
    case .previews: .previews
    case .effects: .effects
    case .frameRate: .frameRate
    case .pause: .pause(node: name)
    case .set(let fields):
      .set(
        node: name,
        Dictionary(fields.map { ($0.key.value, $0.value.value) }, uniquingKeysWith: { $1 }))
    case .keepEvery(let share): .keepEvery(share.value, node: name)
    }
  }
}
