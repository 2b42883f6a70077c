import TestTools
import Testing

/// The rules that no compiler holds.
@Suite(.inTurn) struct RepositoryTests {
  @Test func theRulesAreReadFromSomething() {
    #expect(Repository.sources.count > 100)
    let line = SourceLine(file: "a.swift", number: 1, text: "@testable package import A.B")
    #expect(line.importedModule == "A")
  }

  @Test(arguments: [
    ("CGStreamer", "Sources/GStreamer/"), ("CGraphKitSystem", "Sources/GraphKitSystem/"),
    ("CKernels", "Sources/Kernels/"), ("CEBUR128", "Sources/Kernels/"),
    ("CPango", "Sources/Kernels/"), ("CASS", "Sources/Kernels/"),
  ])
  func oneModuleImportsEachHeader(_ header: Substring, _ folder: String) throws {
    let outside = Repository.sources.filter { !$0.hasPrefix(folder) }
    let guilty = try SourceLine.code(of: outside).filter { $0.importedModule == header }
    #expect(guilty.isEmpty, "go through \(folder): \(guilty)")
  }

  @Test(arguments: [
    ("Sources/GraphKitSystem/", ["CGraphKitSystem", "Glibc", "Synchronization"]),
    ("Sources/Kernels/", ["CASS", "CEBUR128", "CKernels", "CPango", "Glibc", "Synchronization"]),
    (
      "Sources/GStreamer/", ["CGStreamer", "Glibc", "Kernels", "Synchronization", "GraphKitSystem"]
    ),
    ("Sources/JSON/", []),
    ("Sources/Media/", ["Glibc", "JSON"]),
    ("Sources/Containers/", ["Media", "GraphKitSystem"]),
    (
      "Sources/GraphKit/",
      [
        "Containers", "FoundationEssentials", "GStreamer", "Glibc", "JSON", "Kernels", "Media",
        "Synchronization", "GraphKitSystem",
      ]
    ),
    ("Sources/Nodes/", ["Containers", "Glibc", "GraphKit", "Kernels", "GraphKitSystem"]),
    ("Sources/Batch/", ["GStreamer", "GraphKit", "GraphKitSystem", "JSON", "Synchronization"]),
    ("Sources/GraphTesting/", ["Glibc", "GraphKit", "Synchronization", "GraphKitSystem"]),
    (
      "Sources/graphctl/",
      [
        "ArgumentParser", "AssetIO", "Batch", "GStreamer", "Glibc", "GraphKit", "Nodes",
        "Synchronization", "GraphKitSystem",
      ]
    ),
  ])
  func everyModuleImportsWhatItMay(_ folder: String, _ allowed: [Substring]) throws {
    let files = Repository.sources.filter { $0.hasPrefix(folder) }
    let guilty = try SourceLine.code(of: files).filter { line in
      line.importedModule.map { !allowed.contains($0) } ?? false
    }
    #expect(!files.isEmpty)
    #expect(guilty.isEmpty, "\(folder) may import \(allowed): \(guilty)")
  }

  @Test func nodesNameNoTypeOfGStreamer() throws {
    let files = Repository.sources.filter { $0.hasPrefix("Sources/Nodes/") }
    // Most lines have none of these words, and need no pattern.
    let words = ["Gst", "gst_", "GObject", "Unsafe"]
    let guilty = try SourceLine.code(of: files).filter { line in
      words.contains { line.text.contains($0) }
        && line.text.contains(/\b_?Gst[A-Z]|\bgst_[a-z]|\bGObject\b|\bUnsafe[A-Z]/)
    }
    #expect(guilty.isEmpty, "only the scheduler makes elements: \(guilty)")
  }

  @Test func uncheckedSendingStaysWhereItIsNeeded() throws {
    // What they hold is memory of C, of the kernel's locks and pages, that no type of Swift guards.
    let unchecked = [
      "Sources/GStreamer/", "Sources/GraphKitSystem/Monitor.swift",
      "Sources/Kernels/ColorTable.swift", "Sources/Kernels/ColorCurves.swift",
    ]
    let outside = Repository.sources.filter { file in !unchecked.contains { file.hasPrefix($0) } }
    let guilty = try SourceLine.code(of: outside).filter { line in
      line.text.contains("@unchecked") || line.text.contains("nonisolated(unsafe)")
    }
    #expect(guilty.isEmpty, "use Mutex or Monitor: \(guilty)")
  }

  @Test func testsTakeTurns() throws {
    let files = Repository.files(in: "Tests", suffix: "Tests.swift")
    let suites = try SourceLine.code(of: files).filter { $0.text.hasPrefix("@Suite") }
    #expect(suites.count > 100)
    let guilty = suites.filter { !$0.text.contains(".inTurn") }
    #expect(guilty.isEmpty, "say `.inTurn`: \(guilty)")
  }

  @Test func nothingIsLeftForLater() throws {
    // These words count in comments too.
    let words = ["TODO", "FIXME", "fatalError", "preconditionFailure"]
    let guilty = try Repository.sources.filter { file in
      let text = try Repository.text(file)
      return words.contains { text.contains($0) }
    }
    #expect(guilty.isEmpty, "finish it, or throw an error that says what to do: \(guilty)")
  }

  @Test func filesAreShort() throws {
    let guilty = try Repository.sources.filter { file in
      try Repository.text(file).count { $0 == "\n" } > 400
    }
    #expect(guilty.isEmpty, "split into parts of one thing each: \(guilty)")
  }
}
