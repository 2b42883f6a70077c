import GraphKit
import Hummingbird
import Logging
import Nodes
import Synchronization

/// Runs graphs on uploads, within limits.
struct UploadRunner: Sendable {
  let limits: MediaServer.Limits
  let slots: Slots

  /// Runs the graph that `wire` makes behind a pipe with what comes in a request's body, while `read`
  /// takes what the graph makes. Ends the graph where the client hangs up, sends too much or takes too
  /// long. Returns how the run went.
  func run(
    _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable, _ logger: Logger,
    wire: (inout GraphBuilder, NodeHandle<PipeSource>) -> Void,
    read: (Pipeline) async throws -> Void = { _ in }
  ) async throws -> Report {
    let pipe = try UploadPipe()
    let pipeline = try pipeline(reading: pipe, wire)
    let trouble = Trouble(pipeline)
    let report = try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await trouble.watch { try await feed(body, to: pipe) } }
        group.addTask { [limits] in
          await trouble.watch {
            try await Task.sleep(for: limits.time)
            throw HTTPError(.requestTimeout, message: "the request takes too long")
          }
        }
        defer {
          pipe.stop()
          group.cancelAll()
        }
        pipeline.start()
        do { try await read(pipeline) } catch {
          pipeline.cancel()
          _ = await pipeline.report()
          throw error
        }
        return await pipeline.report()
      }
    } onCancel: {
      // The pipe stays open until the graph has ended: another upload's would get its number, and the
      // graph would read that.
      pipeline.cancel()
    }
    if let error = trouble.first { throw error }
    try Task.checkCancellation()
    guard report.state == .completed else {
      logger.info("an upload failed: \(report.failure?.description ?? "cancelled")")
      // What failed elsewhere names files of the server, which are none of the client's business.
      let isUpload = report.failure?.node == "upload"
      let message = isUpload ? report.failure?.message : nil
      throw HTTPError(.unprocessableContent, message: message ?? "the upload can't be read")
    }
    for warning in report.warnings ?? [] { logger.warning("\(warning.message)") }
    return report
  }

  private func pipeline(
    reading pipe: UploadPipe, _ wire: (inout GraphBuilder, NodeHandle<PipeSource>) -> Void
  ) throws -> Pipeline {
    var builder = GraphBuilder(catalog: .builtIn)
    wire(&builder, builder.add("upload", PipeSource()) { $0.descriptor = pipe.reading })
    let machine = LiveEnvironment()
    var configuration = Pipeline.Configuration()
    // A client may be slow, for as long as a request may take.
    configuration.stallTimeout = 86_400
    return try Pipeline(
      Plan(builder.build(in: machine)), environment: machine, configuration: configuration)
  }

  private func feed(
    _ body: some AsyncSequence<ByteBuffer, any Error>, to pipe: UploadPipe
  ) async throws {
    defer { pipe.end() }
    var count = 0
    for try await buffer in body {
      count += buffer.readableBytes
      guard count <= limits.uploadSize else {
        throw HTTPError(
          .contentTooLarge, message: "an upload has at most \(limits.uploadSize) bytes")
      }
      // A graph that needs no more says by its end how it went.
      do { try await pipe.write(buffer) } catch { return }
    }
  }
}

/// What ends a graph before its time: the first error of the tasks beside it.
private final class Trouble: Sendable {
  private let pipeline: Pipeline
  private let error = Mutex<(any Error)?>(nil)

  init(_ pipeline: Pipeline) { self.pipeline = pipeline }

  var first: (any Error)? { error.withLock { $0 } }

  /// Does something beside the graph, which ends where it fails.
  func watch(_ body: () async throws -> Void) async {
    do { try await body() } catch {
      if Task.isCancelled { return }
      self.error.withLock { $0 = $0 ?? error }
      pipeline.cancel()
    }
  }
}
