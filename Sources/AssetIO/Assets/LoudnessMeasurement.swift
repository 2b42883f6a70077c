import GraphKit
import Nodes

/// How loud audio is, after EBU R 128.
public struct LoudnessMeasurement: Hashable, Sendable, Codable {
  /// Of all of it, in LUFS; `nil` for silence, for less than 0.4 s, and for what is never louder than
  /// -70 LUFS.
  public var integrated: Double?
  /// Between its soft and its loud parts, in LU.
  public var range: Double?
  /// The highest peak between samples, in dBTP; `nil` for silence.
  public var truePeak: Double?

  /// Measures a track: all of it is decoded.
  ///
  /// Throws where the file can't be read to its end.
  public init(of track: AssetTrack, in asset: MediaAsset) async throws {
    var graph = GraphBuilder(catalog: .builtIn)
    let file = graph.add("file", FileSource()) { $0.path = asset.path }
    let loudness = graph.add("loudness", Loudness())
    let exit = graph.add("exit", AppOutput())
    graph.connect(file.port(track.port, as: EncodedAudio.self), to: loudness.input)
    graph.connect(loudness.output, to: exit.input)
    let environment = LiveEnvironment()
    let pipeline = try Pipeline(
      Plan(graph.build(in: environment)), environment: environment)
    let samples = try pipeline.output("exit")
    pipeline.start()
    var text: [UInt8] = []
    while let sample = await samples.next() {
      sample.withBytes { bytes in for index in bytes.indices { text.append(bytes[index]) } }
    }
    if let failure = await pipeline.report().failure { throw failure }
    guard case .object(let values)? = JSONTree(answer: text)?.value else {
      throw NodeError("`\(asset.path)` has no audio that can be measured", remedy: "play it")
    }
    func number(_ key: String) -> Double? {
      if case .number(let number)? = values[key] { number } else { nil }
    }
    (integrated, range) = (number("integrated"), number("range"))
    truePeak = number("truePeak")
  }
}
