import GraphKit
import Nodes
import Testing

@Suite struct SinkTests {
  private let formats: [String: FormatConstraint] = [
    "video": .encoded(.h264), "audio": .encoded(.aac), "audio.2": .encoded(.opus),
  ]

  private func sink(_ path: String) -> MP4Sink {
    var sink = MP4Sink()
    sink.path = path
    return sink
  }

  @Test(arguments: [("a.mp4", "mp4mux"), ("a.M4A", "mp4mux"), ("dir.x/b.mov", "qtmux")])
  func extensionChoosesTheMuxer(_ path: String, _ muxer: String) throws {
    #expect(sink(path).problem == nil)
    #expect(try sink(path).factories(formats) == [muxer, "filesink"])
  }

  @Test(arguments: ["a.avi", "movie", "dir.mp4/movie", ".mp4x"])
  func otherNamesAreProblems(_ path: String) {
    #expect(sink(path).problem?.key == "path")
  }

  @Test func everyInputHasItsParser() throws {
    let chain = try #require(
      try sink("a.mp4").elements(in: FakeEnvironment(), formats: formats).first)
    #expect(chain.inputElements["video"]?.map(\.factory) == ["h264parse"])
    #expect(chain.inputElements["audio"]?.map(\.factory) == ["aacparse"])
    #expect(chain.inputElements["audio.2"]?.map(\.factory) == ["opusparse"])
  }

  @Test func crashSafetyIsTheDefault() throws {
    var sink = sink("a.mp4")
    #expect(try sink.properties(of: "mp4mux", formats)["fragment-duration"] == "100")
    #expect(try sink.properties(of: "filesink", formats)["buffer-mode"] == "unbuffered")
    sink.crashSafe = false
    #expect(try sink.properties(of: "mp4mux", formats)["fragment-duration"] == nil)
  }

  @Test func soundFilesHaveNoPictures() {
    #expect(sink("a.m4a").portDeclarations.map(\.name) == ["audio"])
  }

  @Test func aMovieOfNothingIsAnError() {
    #expect(throws: NodeError.self) {
      try sink("a.mp4").elements(in: FakeEnvironment(), formats: [:])
    }
  }

  @Test func filesAreNotOverwrittenUnasked() throws {
    let environment = FakeEnvironment(places: [
      "a.mp4": .file, "b.wav": .file, "c.mp4": .blocked("no"),
    ])
    var movie = sink("a.mp4")
    let error = #expect(throws: NodeError.self) { try movie.resolve(in: environment) }
    #expect(error?.remedy.contains("--overwrite") == true)
    movie.overwrite = true
    #expect(try movie.resolve(in: environment) == [])
    var wave = WAVSink()
    wave.path = "b.wav"
    #expect(throws: NodeError.self) { try wave.resolve(in: environment) }
    var blocked = sink("c.mp4")
    blocked.overwrite = true
    #expect(throws: NodeError.self) { try blocked.resolve(in: environment) }
  }

  @Test(arguments: [
    "2020-02-30T00:00:00Z", "2020-01-01", "2020-13-01T00:00:00Z", "1900-01-01T00:00:00Z",
    "2020-01-01T24:00:00Z", "2020-01-01 00:00:00Z", "2020-01-01T00:00:0xZ",
  ])
  func wrongTimesAreProblems(_ text: String) {
    var movie = sink("a.mp4")
    movie.creationTime = text
    #expect(movie.problem?.key == "creationTime")
  }
}
