import GraphKit
import Kernels

extension TextBlock {
  /// What a warning says of a text with a character that no font has; `nil` where fonts have all of them.
  static func missingWarning(_ text: String, _ look: TextLook) throws(NodeError) -> String? {
    let missing: Unicode.Scalar?
    do { missing = try TextRenderer.shared().missingCharacter(of: text, look) } catch {
      throw problem(error)
    }
    guard let missing else { return nil }
    let digits = String(missing.value, radix: 16, uppercase: true)
    let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let package = fontPackage(for: missing).map { ", such as \($0)" } ?? ""
    return "no font on this machine has `\(missing)` (U+\(number)), which is drawn as a box: "
      + "install a font that has it" + package
  }

  /// A package with a font for a character; `nil` for those that are free for any use.
  static func fontPackage(for character: Unicode.Scalar) -> String? {
    switch character.value {
    case 0x2e80...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7ff, 0xf900...0xfaff, 0xfe30...0xfe4f,
      0xff00...0xffef, 0x20000...0x3ffff:
      "fonts-noto-cjk"
    case 0x1f000...0x1faff: "fonts-noto-color-emoji"
    case 0xe000...0xf8ff, 0xf0000...: nil
    default: "fonts-noto-core"
    }
  }
}
