import GStreamer

/// A language as BCP 47 has it: `de`, `deu`, `pt-BR`, `zh-Hant-TW`.
public struct LanguageTag: Hashable, Sendable {
  /// The tag as it was given.
  public let text: String
  /// The language alone by its three letters (ISO 639-2/T): `por`.
  public let threeLetters: String

  /// `nil` for what is no tag, or of a language that isn't known.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let language = parts.first, (2...3).contains(language.count),
      parts.allSatisfy({ part in
        (1...8).contains(part.count)
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }), let letters = Library.threeLetters(ofLanguage: language.lowercased())
    else { return nil }
    (self.text, threeLetters) = (text, letters)
  }

  /// Whether the tag says more than the language.
  public var saysMore: Bool { text.contains("-") }
}
