/// Names for nodes that passes insert.
///
/// Node names in graph files hold no colon, so only another inserted node can have one that does.
struct FreeNames {
  private var taken: Set<String>

  init(taken: Set<String>) { self.taken = taken }

  /// The name, or where that is taken the first of `name.2`, `name.3`, … that isn't.
  mutating func take(_ name: String) -> String {
    var (free, number) = (name, 2)
    while !taken.insert(free).inserted {
      free = "\(name).\(number)"
      number += 1
    }
    return free
  }
}
