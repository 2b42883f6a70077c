import GraphKit
import GraphKitSystem

/// A file that this process reads and decodes for another one.
final class IsolatedPass: Sendable {
  private let pipeline: Pipeline
  private let lanes: [IsolatedLane]

  /// Reads some streams.
  init(
    _ input: IsolatedInput, _ streams: [IsolatedStream], to socket: MessageSocket
  ) throws(NodeError) {
    do {
      let environment = LiveEnvironment()
      let plan = try Plan(Self.graph(input, streams).build(in: environment))
      let pipeline = try Self.pipeline(plan, in: environment)
      self.pipeline = pipeline
      let first = FirstPacket.all(of: streams, in: plan, input.path)
      let open = Monitor(streams.count)
      lanes = try streams.enumerated().map { index, stream in
        IsolatedLane(
          try pipeline.output(Self.output(index)), of: pipeline, track: index,
          arePackets: stream.packets != nil, first: first[index], open: open, to: socket)
      }
    } catch { throw NodeError(ofFile: error) }
    pipeline.start()
  }

  private static func pipeline(
    _ plan: Plan, in environment: LiveEnvironment
  ) throws -> Pipeline {
    var configuration = Pipeline.Configuration()
    // How long nothing may come, the other process knows.
    configuration.stallTimeout = 1e9
    return try Pipeline(plan, environment: environment, configuration: configuration)
  }

  /// The file, a decoder for each stream or what frames its packets, and an output for each. What is
  /// wanted of one stream twice has readers of its own, so that neither waits for the other.
  private static func graph(_ input: IsolatedInput, _ streams: [IsolatedStream]) -> GraphBuilder {
    var file = FileSource()
    file.path = input.path
    (file.from, file.to, file.duration) = (input.from, input.to, input.duration)
    var builder = GraphBuilder(catalog: .builtIn)
    var sources: [NodeHandle<FileSource>] = []
    for (index, stream) in streams.enumerated() {
      let number = streams[..<index].count { $0.port == stream.port }
      if number == sources.count { sources.append(builder.add(source(number), file)) }
      let output = builder.add(output(index), AppOutput())
      let end: OutputEnd<AnyMedia> = sources[number].port(stream.port, as: AnyMedia.self)
      if let demand = stream.packets {
        let shaper = builder.add("shaper\(index)", PacketShaper(demand))
        builder.connect(end, to: shaper.input)
        builder.connect(shaper.output, to: output.input)
      } else {
        let decoder = builder.add("decoder\(index)", Decoder()) {
          $0.media = stream.port.hasPrefix("video") ? .video : .audio
        }
        builder.connect(end, to: decoder.input)
        builder.connect(decoder.output, to: output.input)
      }
    }
    return builder
  }

  /// The name of a node that reads the file.
  private static func source(_ number: Int) -> String { "file\(number)" }

  /// The name of the node that the samples of a track leave by.
  private static func output(_ track: Int) -> String { "exit\(track)" }

  /// Does what the other process asks for.
  func take(_ request: IsolationRequest, _ attachment: MessageSocket.Attachment?) {
    switch request {
    case .open: break
    case .forget(let memory): for lane in lanes { lane.forget(memory) }
    case .fill(let memory, let track):
      guard lanes.indices.contains(track) else { return }
      let new: SharedMemory?
      do { new = try attachment?.memory() } catch { return }
      lanes[track].fill(memory, new)
    }
  }
}

extension NodeError {
  /// Why a file can't be read, by what the graph of it has thrown: in its words, but for the names of
  /// nodes that nobody has written.
  init(ofFile error: any Error) {
    switch error {
    case let error as NodeError: self = error
    case let failure as PipelineFailure:
      self.init(failure.message, remedy: failure.remedy, key: "path")
    case let errors as GraphErrors:
      let first = errors.diagnostics.first { $0.severity == .error }
      self.init(
        first?.message ?? "\(errors)", remedy: first?.remedy ?? "check the file", key: "path")
    default: self.init("\(error)", remedy: "check the file", key: "path")
    }
  }
}
