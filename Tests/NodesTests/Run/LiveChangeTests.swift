import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  @Suite("Live parameters change between two frames")
  struct LiveChangeTests {
    /// The frames of 3 s behind a mask: their numbers, and whether red is still there.
    struct Frames {
      var numbers: [Int] = []
      var withoutRed: [Int] = []
      var report: Report
    }

    func pipeline(frames: Int = 90) throws -> Pipeline {
      try NodesTests.pipeline(
        """
        { "nodes": {
            "count": { "type": "counterFrames", "frames": \(frames), "pixelFormat": "bgra" },
            "mask": { "type": "channelMask" }, "level": { "type": "gain" },
            "tone": { "type": "testAudio", "seconds": 1 }, "sound": { "type": "nullSink" },
            "out": { "type": "appOutput" } },
          "wires": ["count -> mask -> out", "tone -> level -> sound"] }
        """, catalog: .builtIn.withTesting())
    }

    func frames(of run: Pipeline) async throws -> Frames {
      let output = try run.output("out")
      run.start()
      var (numbers, withoutRed): ([Int], [Int]) = ([], [])
      while let sample = await output.next() {
        // Blue carries the number, whatever becomes of red. Number 0 is black.
        let number = FrameNumber.read(sample) ?? -1
        numbers.append(number)
        let hasRed = sample.withBytes { bytes in
          stride(from: 2, to: bytes.count, by: 4).contains { bytes[$0] != 0 }
        }
        if !hasRed, number > 0 { withoutRed.append(number) }
      }
      return Frames(numbers: numbers, withoutRed: withoutRed, report: try await run.end())
    }

    let second = MediaTime(value: 1, timescale: 1)

    @Test func atTheFirstFrameOfItsTime() async throws {
      let run = try pipeline()
      try run.set("mask.red", false, at: second)
      // Between frames 45 and 46.
      try run.set("mask.red", true, at: MediaTime(value: 151, timescale: 100))
      let frames = try await frames(of: run)
      #expect(frames.numbers == Array(0..<90))
      #expect(frames.withoutRed == Array(30...45))
      let times = frames.report.changes.map(\.applied?.nanoseconds)
      #expect(times == [1_000_000_000, 1_533_333_333])
      #expect(frames.report.changes.map(\.requested?.seconds) == [1, 1.51])
      #expect(frames.report.changes.map(\.value) == [false, true])
    }

    @Test func atOnceWhereNoTimeIsGiven() async throws {
      let run = try pipeline(frames: 3)
      try run.set("mask.red", false)
      let frames = try await frames(of: run)
      #expect(frames.withoutRed == [1, 2])
      #expect(frames.report.changes.map(\.applied) == [.zero])
    }

    @Test func inTheOrderOfTheirTimes() async throws {
      let run = try pipeline(frames: 3)
      let late = MediaTime(value: 1, timescale: 40)
      try run.set("mask.red", true, at: late)
      try run.set("mask.red", false, at: MediaTime(value: 1, timescale: 50))
      let frames = try await frames(of: run)
      #expect(frames.withoutRed == [])
      #expect(frames.report.changes.map(\.value) == [false, true])
    }

    @Test func andTheReportHasWhatNeverCame() async throws {
      let run = try pipeline(frames: 3)
      try run.set("mask.red", false, at: second)
      let report = try await frames(of: run).report
      #expect(report.changes.map(\.value) == [false])
      #expect(report.changes.map(\.requested) == [second])
      #expect(report.changes.map(\.applied) == [nil])
      #expect(throws: NodeError.self) { try run.set("mask.red", true) }
    }

    @Test func severalAtOnceOrNone() async throws {
      let run = try pipeline(frames: 3)
      #expect(throws: NodeError.self) { try run.set(["mask.red": false, "level.decibels": 900]) }
      try run.set(["mask.red": false, "mask.green": false], at: .zero)
      let report = try await frames(of: run).report
      #expect(report.changes.map(\.parameter) == ["red", "green"])
      #expect(report.changes.allSatisfy { $0.applied == .zero })
    }

    @Test(
      arguments: [
        ("red", true, "`red` names no parameter of a node; write node.parameter"),
        ("masc.red", true, "there is no node `masc`; did you mean `mask`?"),
        ("mask.rad", true, "mask: channelMask has no parameter `rad`; did you mean `red`?"),
        ("mask.red", 1, "mask: `red` is a number; write true or false"),
        (
          "level.decibels", 100,
          "level: `decibels` is 100 dB; it goes from -144 to 48 dB"
        ),
        (
          "tone.seconds", 3,
          "tone: `seconds` can't change while the graph runs; testAudio has no live parameter"
        ),
      ] as [(String, JSONValue, String)])
    func orAnErrorSaysWhat(path: String, value: JSONValue, message: String) throws {
      let run = try pipeline()
      let error = #expect(throws: NodeError.self) { try run.set(path, value) }
      #expect(error?.description == message)
      let timed = #expect(throws: NodeError.self) {
        try run.set("mask.red", false, at: .invalid)
      }
      #expect(timed?.description == "invalid is no time of a sample; give one from 0 on")
      run.cancel()
    }

    @Test(
      arguments: [
        (
          "cut.x", 40,
          "cut: 32x24 at x 40 is not within frames of 64x48; "
            + "give a smaller rectangle, or one nearer to the top left"
        ),
        (
          "band.bands", [["type": "peak", "frequency": 5000, "gain": 3]],
          "band: `bands[0]` is at 5000.0 Hz, and audio of 8000 samples a second has nothing from "
            + "4000.0 Hz on; give a lower frequency, or leave the band out"
        ),
        (
          "mix.gains", [0, 0],
          "mix: there are 2 `gains`, and 1 inputs are wired; "
            + "give one for each input, in their order"
        ),
        (
          "inset.places", ["in.3": ["x": 1]],
          "inset: `in.3` has a place, and nothing is wired to it; "
            + "wire something to `in.3`, or leave its place out"
        ),
      ] as [(String, JSONValue, String)])
    func andNothingThatDoesNotFitWhatPasses(path: String, value: JSONValue, message: String) throws
    {
      let run = try NodesTests.pipeline(
        """
        { "nodes": {
            "bars": { "type": "testVideo", "width": 64, "height": 48, "seconds": 1 },
            "cut": { "type": "crop", "width": 32, "height": 24 },
            "inset": { "type": "mixVideo" }, "end": { "type": "nullSink" },
            "tone": { "type": "testAudio", "sampleRate": 8000, "seconds": 1 },
            "band": { "type": "equalizer" }, "mix": { "type": "mixAudio", "sampleRate": 8000 },
            "sound": { "type": "nullSink" } },
          "wires": ["bars -> cut -> inset -> end", "bars -> inset.in.2",
                    "tone -> band -> mix -> sound"] }
        """)
      let error = #expect(throws: NodeError.self) { try run.set(path, value) }
      #expect(error?.description == message)
      run.cancel()
    }

    @Test func changesThatWaitAreBounded() throws {
      let run = try pipeline()
      let error = #expect(throws: NodeError.self) {
        for number in 0..<2000 { try run.set("mask.red", .bool(number % 2 == 0), at: second) }
      }
      #expect(error?.message == "1000 changes are waiting already")
      run.cancel()
    }
  }
}
