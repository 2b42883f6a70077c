import Foundation
import GraphKit
import Hummingbird
import Logging
import Nodes

/// `POST /waveform?samplesPerPixel=256`: the waveform of the audio that is sent, while it is sent.
///
/// The answer is a line of JSON for each second or so of audio: the time of its first point in seconds,
/// the rate of the points, and their lowest and highest samples in turn. The last line says how many
/// points there were, or what went wrong.
struct WaveformRoute: Sendable {
  private struct Part: Encodable {
    let time: Double
    let pointsPerSecond: Double
    let points: [Int16]
  }

  private struct End: Encodable {
    var count: Int?
    var error: String?
  }

  let uploads: UploadRunner

  func respond(to request: Request, _ logger: Logger) async throws -> Response {
    let samplesPerPixel = request.uri.queryParameters.get("samplesPerPixel", as: Int.self) ?? 256
    guard (1...1_000_000).contains(samplesPerPixel) else {
      throw HTTPError(.badRequest, message: "samplesPerPixel is from 1 to 1,000,000")
    }
    let slot = try uploads.slots.take()
    let body = ResponseBody { writer in
      // The place is taken until all is sent.
      defer { withExtendedLifetime(slot) {} }
      let end = await write(request.body, samplesPerPixel, logger, to: &writer)
      try await writer.write(Self.line(end))
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: body)
  }

  /// Writes a line for each part, and returns the last one's content. A client that doesn't read holds
  /// the graph up, and so its own upload.
  private func write(
    _ body: RequestBody, _ samplesPerPixel: Int, _ logger: Logger,
    to writer: inout any ResponseBodyWriter
  ) async -> End {
    var count = 0
    do {
      _ = try await uploads.run(body, logger) { builder, upload in
        let waveform = builder.add("waveform", Waveform()) {
          ($0.samplesPerPixel, $0.updateInterval) = (samplesPerPixel, 1)
        }
        let points = builder.add("points", AppOutput())
        builder.connect(upload.output, to: waveform.input)
        builder.connect(waveform.output, to: points.input)
      } read: { pipeline in
        let points = try pipeline.output("points")
        while let sample = await points.next() {
          guard let peaks = sample.peaks else { continue }
          count += peaks.count
          try await writer.write(Self.line(Self.part(peaks, at: sample.presentationTime)))
        }
      }
      return End(count: count)
    } catch {
      logger.info("an upload has no waveform: \(error)")
      return End(error: (error as? HTTPError)?.body ?? "the upload can't be read")
    }
  }

  private static func part(_ peaks: Peaks, at time: MediaTime) -> Part {
    Part(
      time: time.seconds,
      pointsPerSecond: Double(peaks.format.sampleRate) / Double(peaks.format.samplesPerPixel),
      points: peaks.values)
  }

  private static func line(_ value: some Encodable) -> ByteBuffer {
    // Numbers and texts can't fail.
    let data = (try? JSONEncoder().encode(value)) ?? Data()
    return ByteBuffer(bytes: data + [0x0a])
  }
}
