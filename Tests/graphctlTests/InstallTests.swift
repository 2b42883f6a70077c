import Foundation
import TestTools
import Testing

/// What `make install` puts in place works from there.
@Suite(.inTurn) struct InstallTests {
  private let script = Graphctl.repository.appending(path: "Scripts/install-files").path

  @Test func installsBelowAnotherRoot() async throws {
    let folder = try Folder()
    let result = try await Tool.result(
      script,
      [
        "--graphctl", Graphctl.executable.path, "--prefix", "/opt/graphkit", "--destdir",
        "\(folder.path)/root",
      ], in: folder.url)
    let root = "root/opt/graphkit"
    #expect(
      result.output == "Installed graphctl 0.1.0 below \(folder.path)/\(root)\n", "\(result)")
    let commands = try await Graphctl.run(["--help"], in: folder).output
      .matches(of: /\n  ([a-z]+) +[A-Z]/).map { String($0.output.1) }
    #expect(commands.count > 10)
    for command in commands {
      let page = folder.text("\(root)/share/man/man1/graphctl-\(command).1")
      #expect(page.contains("\n.SH SYNOPSIS\n"), "\(command): \(page)")
    }
    let verbs = folder.text("\(root)/share/man/man1/graphctl-batch.1")
    #expect(verbs.contains("\n.SH COMMANDS\n") && verbs.contains(#"\fBstatus\fR"#), "\(verbs)")
    #expect(!folder.has("\(root)/share/man/man1/graphctl-batch-worker.1"))
    let status = folder.text("\(root)/share/man/man1/graphctl-batch-status.1")
    #expect(status.contains(#"\fB\-\-watch\fR"#) && status.contains(#"graphctl\-batch\fR(1)"#))
    let page = folder.text("\(root)/share/man/man1/graphctl-run.1")
    #expect(page.contains(#"\fB\-\-stall\-timeout\fR \fIseconds\fR"#), "\(page)")
    for file in [
      "bash-completion/completions/graphctl", "zsh/site-functions/_graphctl",
      "fish/vendor_completions.d/graphctl.fish",
    ] { #expect(folder.text("\(root)/share/\(file)").contains("stall-timeout"), "\(file)") }
    let examples = "\(root)/share/doc/graphctl/examples"
    #expect(
      folder.has("\(examples)/graph.schema.json") && folder.has("\(examples)/parts/look.json"))
    let check = try await Tool.result(
      "\(folder.path)/\(root)/bin/graphctl", ["check", "\(examples)/softer.json"], in: folder.url)
    #expect(check.output == "\(examples)/softer.json: OK: 3 nodes, 2 wires\n", "\(check)")
  }

  /// troff says on standard error what it can't set.
  @Test func manPagesAreRight() async throws {
    let folder = try Folder()
    let made = try await Tool.result(
      Graphctl.repository.appending(path: "Scripts/make-man-pages").path,
      ["man", "--graphctl", Graphctl.executable.path], in: folder.url)
    #expect(made.status == 0, "\(made)")
    let warnings = try await Tool.result(
      "sh", ["-c", "for page in man/*.1; do groff -man -Tutf8 -ww $page 2>&1 >/dev/null; done"],
      in: folder.url)
    #expect(warnings.status == 0 && warnings.output == "", "\(warnings)")
  }

  @Test(arguments: [
    (["--graphctl", "none"], 66, "there is no `none`; run `make release` first"),
    (["--prefix", "usr"], 64, "the prefix `usr` isn't absolute; write it from / on"),
    (["--frob", "x"], 64, "there is no option `--frob`; see the head of this file"),
  ])
  func refusesWhatItCannotDo(words: [String], status: Int, message: String) async throws {
    let folder = try Folder()
    let result = try await Tool.result(
      script,
      ["--graphctl", Graphctl.executable.path, "--destdir", "\(folder.path)/root"] + words,
      in: folder.url)
    #expect(result.status == Int32(status))
    #expect(result.output == "install-files: error: \(message)\n", "\(result)")
    #expect(!folder.has("root"))
  }
}
