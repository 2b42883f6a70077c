import GraphKit
import GraphKitSystem

/// A file that this process reads and decodes for another one.
final class IsolatedPass: Sendable {
  private let pipeline: Pipeline
  private let lanes: [IsolatedLane]

  /// Reads the streams of some ports.
  init(_ input: IsolatedInput, _ ports: [String], to socket: MessageSocket) throws(NodeError) {
    do {
      let pipeline = try Self.pipeline(input, ports)
      self.pipeline = pipeline
      let open = Monitor(ports.count)
      lanes = try ports.indices.map { index in
        IsolatedLane(
          try pipeline.output(Self.output(index)), of: pipeline, track: index, open: open,
          to: socket)
      }
    } catch { throw NodeError(ofFile: error) }
    pipeline.start()
  }

  private static func pipeline(_ input: IsolatedInput, _ ports: [String]) throws -> Pipeline {
    var configuration = Pipeline.Configuration()
    // How long nothing may come, the other process knows.
    configuration.stallTimeout = 1e9
    let environment = LiveEnvironment()
    return try Pipeline(
      Plan(graph(input, ports).build(in: environment)), environment: environment,
      configuration: configuration)
  }

  /// The file, a decoder for each port, and an output for each.
  private static func graph(_ input: IsolatedInput, _ ports: [String]) -> GraphBuilder {
    var file = FileSource()
    (file.path, file.loop) = (input.path, input.loop)
    (file.from, file.to, file.duration) = (input.from, input.to, input.duration)
    var builder = GraphBuilder(catalog: .builtIn)
    let source = builder.add("file", file)
    for (index, port) in ports.enumerated() {
      let decoder = builder.add("decoder\(index)", Decoder()) {
        $0.media = port.hasPrefix("video") ? .video : .audio
      }
      let output = builder.add(output(index), AppOutput())
      builder.connect(source.port(port, as: AnyMedia.self), to: decoder.input)
      builder.connect(decoder.output, to: output.input)
    }
    return builder
  }

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
  fileprivate init(ofFile error: any Error) {
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
