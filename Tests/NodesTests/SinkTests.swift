import GraphKit
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct SinkTests {
  private let formats: [String: FormatConstraint] = [
    "video": .encoded(.h264), "audio": .encoded(.aac), "audio.2": .encoded(.opus),
  ]

  private func sink(_ path: String) -> MP4Sink {
    var sink = MP4Sink()
    sink.path = path
    return sink
  }

  @Test(arguments: ["a.mp4", "a.M4A", "dir.x/b.mov", "c.m4v"])
  func namesOfMoviesAreTaken(_ path: String) throws {
    #expect(sink(path).problem == nil)
    #expect(try sink(path).factories(formats).isEmpty)
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
    #expect(chain.inputElements["audio.2"]?.isEmpty == true)
  }

  @Test func soundFilesHaveNoPictures() {
    let pictures = ["video": FormatConstraint.encoded(.h264)]
    #expect(sink("a.m4a").problem(formats: pictures)?.remedy == "end it in .mp4, .m4v or .mov")
    #expect(sink("a.m4a").problem(formats: ["audio": .encoded(.aac)]) == nil)
    #expect(sink("a.mp4").problem(formats: pictures) == nil)
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
    "2020-02-30T00:00:00Z", "2020-01-01", "2020-13-01T00:00:00Z", "0000-01-01T00:00:00Z",
    "2020-01-01T24:00:00Z", "2020-01-01 00:00:00Z", "2020-01-01T00:00:0xZ",
  ])
  func wrongTimesAreProblems(_ text: String) {
    #expect(problem(creationTime: text)?.message == "`\(text)` is no date and time")
  }

  @Test(arguments: ["1903-12-31T23:59:59Z", "2040-02-06T06:28:16Z", "9999-12-31T23:59:59Z"])
  func timesThatNoMovieHoldsAreProblems(_ text: String) {
    let message = problem(creationTime: text)?.message
    #expect(message == "a movie can't say that it was made at `\(text)`")
  }

  @Test(arguments: ["1904-01-01T00:00:00Z", "2040-02-06T06:28:15Z"])
  func theFirstAndLastTimeOfMoviesAreTaken(_ text: String) {
    #expect(problem(creationTime: text) == nil)
  }

  private func problem(creationTime text: String) -> NodeError? {
    var movie = sink("a.mp4")
    movie.creationTime = text
    return movie.problem
  }
}
