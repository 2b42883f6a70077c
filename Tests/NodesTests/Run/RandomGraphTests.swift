import Foundation
import GraphKit
import Nodes
import Testing

extension RunTests {
  /// Graphs that nobody thought of: each is refused with a diagnostic, or runs to its end.
  ///
  /// `GRAPHKIT_RANDOM_GRAPHS=FIRST-LAST` runs the graphs of those seeds instead of the usual ones.
  @Suite struct RandomGraphTests {
    static var seeds: ClosedRange<UInt64> {
      let words = ProcessInfo.processInfo.environment["GRAPHKIT_RANDOM_GRAPHS"] ?? ""
      let ends = words.split(separator: "-").compactMap { UInt64($0) }
      return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : 1...25
    }

    @Test func eachIsRefusedOrRunsToItsEnd() async throws {
      var (refused, ran) = (0, 0)
      for seed in Self.seeds {
        let folder = try TestFolder()
        let json = RandomGraph(seed: seed, folder: folder.folder).json
        do {
          let report = try await run(plan(json))
          ran += 1
          #expect(report.unbalanced == [], "seed \(seed): \(json)")
          try judge(report, "seed \(seed): \(json)")
        } catch let errors as GraphErrors {
          refused += 1
          #expect(!errors.diagnostics.isEmpty)
        } catch {
          let detail = (error as? RunError)?.report.failure?.detail ?? ""
          Issue.record("seed \(seed): \(error)\n\(detail)\n\(json)")
        }
      }
      #expect(ran > refused, "\(ran) ran, \(refused) were refused")
    }

    private func run(_ plan: Plan) async throws -> Report {
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 5
      return try await Pipeline(
        plan, environment: LiveEnvironment(), configuration: configuration
      ).run()
    }

    /// What was written can be read.
    private func judge(_ report: Report, _ graph: String) throws {
      for output in report.outputs where output.path.hasSuffix(".mp4") {
        let tracks = output.contents?.tracks ?? []
        #expect(output.problem == nil, "\(graph)")
        if tracks.isEmpty { continue }
        #expect(try decodeComplaints(output.path) == "", "\(graph)")
      }
    }
  }
}
