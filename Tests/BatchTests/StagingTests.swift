import Foundation
import TestTools
import Testing

@testable import Batch

/// The commands that bring files from and to a store.
@Suite(.inTurn) struct StagingTests {
  @Test(arguments: [
    ("s5cmd cp {remote} {local}", ["s5cmd", "cp", "{remote}", "{local}"]),
    (" a  'b  c'\t\"d'e\" f'g'h ", ["a", "b  c", "d'e", "fgh"]),
    ("a '' \"\"", ["a", "", ""]), ("", []), ("a\\ b $HOME", ["a\\", "b", "$HOME"]),
  ])
  func wordsArePartedBySpaceAndQuotes(_ line: String, _ words: [String]) {
    #expect(StagingCommand.words(of: line) == words)
  }

  @Test(arguments: ["a 'b", "a \"b'"])
  func aQuoteThatIsNotClosedIsNoLine(_ line: String) {
    #expect(StagingCommand.words(of: line) == nil)
  }

  @Test(arguments: [
    (["fetch=a {remote} {local}"], "is neither one `get=` nor one `put=`"),
    (["get=a {remote} {local}", "get=b {remote} {local}"], "is neither one `get=` nor one `put=`"),
    (["get"], "has no command"), (["put=' {remote} {local}"], "has no command"),
    (["put=cp {local}"], "doesn't say where {remote} and {local} go"),
  ])
  func whatIsWrongIsSaid(_ texts: [String], _ words: String) {
    let error = #expect(throws: BatchError.self) { try Staging(texts) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func namesAreHandedOnAsTheyAre() throws {
    let command = try StagingCommand(
      "sh -c 'printf %s \"$0|$1\" > \"$1\"' {remote} {local}", given: "")
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try command.run(remote: "s3://a b/{local}'$(x)", local: file.path)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text == "s3://a b/{local}'$(x)|\(file.path)")
  }

  @Test func aProgramThatFailsIsCitedAndOneThatIsNotThereIsNamed() throws {
    let failing = try StagingCommand(
      "sh -c 'echo first >&2; echo no such key >&2; exit 3' {remote} {local}", given: "")
    let failure = #expect(throws: StagingCommand.Failure.self) {
      try failing.run(remote: "s3://b/a", local: "a")
    }
    #expect(failure?.message == "`sh` failed on `s3://b/a`: no such key")
    let missing = try StagingCommand("no-such-program {remote} {local}", given: "")
    let reason = #expect(throws: StagingCommand.Failure.self) {
      try missing.run(remote: "a", local: "b")
    }
    #expect(reason?.message.hasPrefix("`no-such-program` can't be started: ") == true)
  }

  @Test(arguments: [
    ("s3://bucket/talks/a.mp3", "talks/a.mp3"), ("https://host/a.mp3", "a.mp3"),
    ("s3://bucket", "s3:/bucket"), ("./a/../b.mp3", "a/b.mp3"),
  ])
  func fieldsOfAURLBeginBelowItsHost(_ input: String, _ path: String) {
    #expect(ListedItem(input).relativePath == path)
  }
}
