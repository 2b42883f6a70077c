import GraphKitSystem

/// A program and its words, in which `{remote}` stands for a name in the store and `{local}` for a file
/// of this machine. It is started without a shell.
package struct StagingCommand: Hashable, Sendable {
  /// Why a file couldn't be brought.
  struct Failure: Error { var message: String }

  /// The line as it was given.
  package let text: String
  private let words: [String]

  private static let remote = "{remote}"
  private static let local = "{local}"

  /// Reads a line. Throws where it is no command, or doesn't name both files.
  init(_ text: String, given: String) throws(BatchError) {
    guard let words = Self.words(of: text), !words.isEmpty else {
      throw BatchError(
        .usage, "--stage", "`\(given)` has no command, or a quotation mark that isn't closed",
        remedy: "give one as in 'get=s5cmd cp {remote} {local}'")
    }
    guard words.contains(where: { $0.contains(Self.remote) }),
      words.contains(where: { $0.contains(Self.local) })
    else {
      throw BatchError(
        .usage, "--stage", "`\(given)` doesn't say where {remote} and {local} go",
        remedy: "give both, as in 'get=s5cmd cp {remote} {local}'")
    }
    (self.text, self.words) = (text, words)
  }

  /// Brings a file, and waits for it.
  func run(remote: String, local: String) throws(Failure) {
    let words = words.map {
      // What the first name contains isn't looked at for the second.
      $0.split(separator: Self.remote, omittingEmptySubsequences: false)
        .map { $0.replacing(Self.local, with: local) }.joined(separator: remote)
    }
    let said: String
    do throws(File.Failure) {
      let program = try ChildProcess(words[0], Array(words.dropFirst()), input: [])
      said = Self.lastLine(of: program)
      guard program.waitForEnd() != .exited(0) else { return }
    } catch { throw Failure(message: "`\(words[0])` can't be started: \(error.text)") }
    throw Failure(
      message: "`\(words[0])` failed on `\(remote)`: \(said.isEmpty ? "it says nothing" : said)")
  }

  /// What a program says last on its standard error.
  private static func lastLine(of program: ChildProcess) -> String {
    var block = [UInt8](repeating: 0, count: 65_536)
    var messages: [UInt8] = []
    while !program.output.hasEnded || !program.messages.hasEnded {
      program.waitForOutput(milliseconds: 1_000)
      _ = program.output.read(into: &block)
      let count = program.messages.read(into: &block)
      messages = (messages + block[..<count]).suffix(2_000)
    }
    let lines = String(decoding: messages, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.last.map(String.init) ?? ""
  }

  /// The words of a line: parted by space, but for what is in quotation marks of either kind; `nil`
  /// where one isn't closed.
  static func words(of line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quotation: Character?
    for character in line {
      if character == quotation {
        quotation = nil
      } else if quotation == nil, character == "'" || character == "\"" {
        quotation = character
        word = word ?? ""
      } else if quotation == nil, character.isWhitespace {
        if let complete = word { words.append(complete) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quotation == nil ? words : nil
  }
}
