/// A value in a list of a node's parameters.
public protocol ListItem: Hashable, Sendable {
  /// What a graph file may write. A reader checks it before ``init(json:)`` is called.
  static var kind: ParameterKind { get }
  /// The value that JSON stands for; `nil` where it isn't of the ``kind``.
  init?(json: JSONValue)
  /// The value as graph files write it.
  var json: JSONValue { get }
}

extension Parameter {
  /// A list of values, each a record with keys of its own.
  public static func list<Item: ListItem>(
    _ name: String, _ path: WritableKeyPath<N, [Item]> & Sendable, limit: Int, live: Bool = false,
    help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .list(Item.kind, limit: limit), unit: nil, isLive: live,
      isRequired: false,
      read: { .array($0[keyPath: path].map(\.json)) },
      write: { node, value in
        guard case .array(let values) = value, values.count <= limit else { return false }
        let items = values.compactMap { Item(json: $0) }
        guard items.count == values.count else { return false }
        node[keyPath: path] = items
        return true
      })
  }

  /// A record with keys of its own.
  public static func record<Item: ListItem>(
    _ name: String, _ path: WritableKeyPath<N, Item> & Sendable, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: Item.kind, unit: nil, isLive: false, isRequired: false,
      read: { $0[keyPath: path].json },
      write: { node, value in
        guard let item = Item(json: value) else { return false }
        node[keyPath: path] = item
        return true
      })
  }

  /// A list of numbers in a range.
  public static func numbers(
    _ name: String, _ path: WritableKeyPath<N, [Double]> & Sendable, in range: ClosedRange<Double>,
    limit: Int, unit: String? = nil, live: Bool = false, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .list(.number(range), limit: limit), unit: unit, isLive: live,
      isRequired: false,
      read: { .array($0[keyPath: path].map { .number($0) }) },
      write: { node, value in
        guard case .array(let values) = value, values.count <= limit else { return false }
        let numbers = values.compactMap { value -> Double? in
          guard case .number(let number) = value, range.contains(number) else { return nil }
          return number
        }
        guard numbers.count == values.count else { return false }
        node[keyPath: path] = numbers
        return true
      })
  }
}
