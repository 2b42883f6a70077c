import Foundation
import Hummingbird
import Logging
import Metrics

/// Answers requests for waveforms, M4A files and frames.
///
/// Memory is bounded by what graphs hold: an upload goes through a pipe, and the client waits where the
/// graph is busy. What is too much at a time is refused at once, so that a load balancer can go elsewhere.
struct MediaServer: Sendable {
  /// How much a server takes on.
  struct Limits: Sendable {
    /// Graphs that run at a time; a request beyond them is answered with 503 and `Retry-After`.
    var jobs = 4
    /// Bytes of an upload at most.
    var uploadSize = 2 << 30
    /// How long a request may take.
    var time = Duration.seconds(600)
  }

  /// Movies of which frames are shown.
  let folder: URL
  var limits = Limits()
  var logger = Logger(label: "MediaServer")

  /// The server, which is to be run, on a port of this machine; 0 for any. `onReady` gets the port once
  /// requests are taken.
  func application(
    port: Int, onReady: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> some ApplicationProtocol {
    let router = Router()
    router.add(middleware: LogRequestsMiddleware(.info))
    router.add(middleware: MetricsMiddleware())
    let slots = Slots(limits.jobs)
    let uploads = UploadRunner(limits: limits, slots: slots)
    router.post("/waveform") { request, context in
      try await WaveformRoute(uploads: uploads).respond(to: request, context.logger)
    }
    router.post("/m4a") { request, context in
      try await M4ARoute(uploads: uploads).respond(to: request, context.logger)
    }
    router.get("/frames/{name}") { request, context in
      try await FrameRoute(folder: folder, limits: limits, slots: slots, logger: context.logger)
        .respond(to: request, name: context.parameters.require("name"))
    }
    return Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in onReady(channel.localAddress?.port ?? port) }, logger: logger)
  }
}
