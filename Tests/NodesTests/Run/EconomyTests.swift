import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

/// A load that comes and goes: each frame takes so many times as long as it lasts.
private struct Toil: VideoEffect {
  var cost = 0.0

  static let declaration = NodeDeclaration<Toil>(
    "toil", role: .effect, help: "Takes its time with each frame.", example: "camera -> toil",
    parameters: [
      .number("cost", \.cost, in: 0...10, live: true, help: "How many times its own length.")
        .cheaper(at: 1.25)
    ])
  static let ports = EffectPorts<Video>(.video([.i420]))

  mutating func process(_ frame: inout VideoFrame) throws {
    // The work itself, which other processors would do at another speed.
    Thread.sleep(forTimeInterval: cost * RunTests.EconomyTests.frameSeconds)
  }
}

extension RunTests {
  @Suite("A live graph that can't keep up gives up quality in order", .inTurnOrAlone)
  struct EconomyTests {
    static let frameSeconds = 0.02

    private func pipeline(_ steps: String) throws -> Pipeline {
      var configuration = Pipeline.Configuration()
      configuration.economyRule = EconomyRule().scaled(by: 0.1)
      configuration.economyRule.slow = 0.3
      let catalog = Catalog(Catalog.builtIn.all + [NodeType(Toil.self)])
      return try NodesTests.pipeline(
        """
        { \(steps)"nodes": {
            "camera": { "type": "testVideo", "live": true, "width": 32, "height": 24,
                        "frameRate": 50 },
            "toil": { "type": "toil", "cost": 2 }, "end": { "type": "nullSink" },
            "preview": { "type": "preview" } },
          "wires": ["camera -> toil -> end", "camera -> preview"] }
        """, catalog: catalog, configuration: configuration)
    }

    /// Twice too slow; a quarter too slow with the cheaper effect; fast enough with half of the frames.
    @Test func andGetsItBackWhereTheLoadGoes() async throws {
      let run = try pipeline("")
      let steps = ["pause preview", "set toil.cost=1.25", "keep 1 frame in 2 of camera"]
      var (heard, taken, hasEased) = ([EconomyChange](), [String](), false)
      let events = run.events(of: [.economy])
      run.start()
      for await event in events {
        guard case .economy(let change) = event.kind else { continue }
        heard.append(change)
        // A busy machine may take a step again that was taken back; the order is the same.
        if change.isTaken {
          taken.append(change.step)
        } else {
          #expect(taken.popLast() == change.step)
        }
        #expect(taken == Array(steps.prefix(taken.count)))
        // The load goes once all is given up, and the run ends once all is back.
        if taken.count == steps.count, !hasEased {
          try run.set("toil.cost", 0.1)
          hasEased = true
        }
        if hasEased, taken.isEmpty { run.finish() }
      }
      let report = try await run.end()
      #expect(hasEased)
      #expect(heard.first?.cause.hasPrefix("camera.out -> toil.in was ") == true)
      let economies = try #require(report.economies)
      #expect(economies.map(\.step) == heard.filter(\.isTaken).map(\.step))
      #expect(economies.prefix(3).allSatisfy { $0.takenBack != nil })
      #expect(economies.map(\.taken) == economies.map(\.taken).sorted())
      // What the user set meanwhile stays.
      #expect(try run.value(of: "toil.cost") == 0.1)
      try expectBalanced(report)
      let wire = try #require(report.wires["camera.out -> toil.in"])
      #expect((wire.dropped["whenSlow"] ?? 0) > 0, "\(wire)")
      let preview = try #require(report.wires["camera.out -> preview.in"])
      let spared = preview.dropped["whenSlow"] ?? 0
      #expect(spared > (wire.dropped["whenSlow"] ?? 0) && spared < preview.samplesIn, "\(preview)")
    }

    /// What a step has set is put back. There is no other, which a busy machine might take besides.
    @Test func andPutsBackWhatTheNodeHad() async throws {
      let run = try pipeline(
        #""whenSlow": [{ "node": "toil", "set": { "cost": 0.2 } }], "#)
      var heard: [Bool] = []
      let events = run.events(of: [.economy])
      run.start()
      for await event in events {
        guard case .economy(let change) = event.kind else { continue }
        heard.append(change.isTaken)
        // Too slow again: the second time counts.
        if heard.count == 3 { run.finish() }
      }
      let report = try await run.end()
      // Until the run has ended, it may be taken back once more.
      #expect(heard.prefix(3) == [true, false, true])
      #expect(report.changes.map(\.value) == heard.map { $0 ? 0.2 : 2 })
      let stays = report.economies?.map { $0.takenBack == nil }
      #expect(stays == heard.indices.filter { heard[$0] }.map { $0 == heard.count - 1 })
      #expect(report.wires["camera.out -> preview.in"]?.dropped["whenSlow"] == nil)
      try expectBalanced(report)
    }

    @Test func andGoesOnCountingWhereItsPreviewPauses() async throws {
      let run = try pipeline(#""whenSlow": [{ "node": "preview", "pause": true }], "#)
      var (isPaused, positions) = (false, [Double]())
      let events = run.events(of: [.economy, .progress])
      run.start()
      for await event in events {
        if case .economy(let change) = event.kind { isPaused = isPaused || change.isTaken }
        guard isPaused, case .progress(let progress) = event.kind else { continue }
        positions.append(progress.position)
        if positions.count == 6 { run.finish() }
      }
      _ = try await run.end()
      let distances = zip(positions, positions.dropFirst()).map { $1 - $0 }
      #expect(distances.count >= 5 && distances.allSatisfy { $0 > 0 }, "\(positions)")
    }

    @Test func andGivesUpFramesAloneWhereItHasNoSteps() async throws {
      let run = try pipeline(#""whenSlow": [], "#)
      let events = run.events(of: [.drop, .economy])
      run.start()
      for await event in events {
        if case .drop(_, .wireFull) = event.kind { break }
      }
      run.finish()
      let report = try await run.end()
      #expect(report.economies == nil && report.changes.isEmpty)
      #expect((report.wires["camera.out -> toil.in"]?.dropped["wireFull"] ?? 0) > 0)
      // The report knows what was too slow: it hardly waited.
      let stage = try #require(report.stages?.first { $0.nodes.contains("toil") })
      let idle = try #require(stage.waitedForInput)
      #expect(stage.busy > 4 * idle && stage.waitedForRoom == 0, "\(stage)")
      #expect(report.limitedBy?.contains("`toil`") == true, "\(report.limitedBy ?? "")")
    }
  }
}
