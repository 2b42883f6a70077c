/// Why a text isn't JSON.
public enum SyntaxProblem: Hashable, Sendable {
  case empty
  case tooLarge(bytes: Int, limit: Int)
  case byteOrderMark
  case otherEncoding
  case invalidUTF8(UInt8)
  case endsEarly(expected: String)
  case unexpected(String, expected: String)
  case trailingComma
  case trailingContent(String)
  case comment
  case controlCharacter(UInt8)
  case badEscape(String)
  case loneSurrogate(String)
  case badNumber(String)
  case leadingZero(String)
  case notANumber(String)
  case numberTooLarge(String)
  case tooDeep(limit: Int)
  case duplicateKey(String, first: SourcePlace)
}
