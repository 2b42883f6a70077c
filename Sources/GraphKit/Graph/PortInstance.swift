extension PortDeclaration {
  /// The name without the number of a repeatable port's instance: `audio` of `audio.2`.
  public var baseName: String {
    guard isRepeatable, let (base, _) = Self.instance(name) else { return name }
    return base
  }

  /// The number of a repeatable port's instance: 1 of `audio`, 2 of `audio.2`.
  public var instanceNumber: Int {
    guard isRepeatable, let (_, number) = Self.instance(name) else { return 1 }
    return number
  }

  /// Takes `audio.2` apart; `nil` where a name isn't of that form. The first instance has no
  /// number.
  static func instance(_ name: String) -> (base: String, number: Int)? {
    guard let point = name.lastIndex(of: ".") else { return nil }
    let digits = name[name.index(after: point)...]
    guard let number = Int(digits), number > 1, String(number) == digits else { return nil }
    return (String(name[..<point]), number)
  }
}
