import Foundation
import GraphKit
import Hummingbird
import Logging
import Nodes

/// `POST /m4a?bitRate=96000`: the audio that is sent as AAC in an M4A file, whose index is in front.
struct M4ARoute: Sendable {
  let uploads: UploadRunner

  func respond(to request: Request, _ logger: Logger) async throws -> Response {
    let bitRate = request.uri.queryParameters.get("bitRate", as: Int.self) ?? 96_000
    guard (16_000...512_000).contains(bitRate) else {
      throw HTTPError(.badRequest, message: "bitRate is from 16,000 to 512,000")
    }
    let slot = try uploads.slots.take()
    let file = TemporaryFile(ending: ".m4a")
    // A client that hangs up cancels what is done here.
    _ = try await request.body.consumeWithCancellationOnInboundClose { body in
      try await uploads.run(body, logger) { builder, upload in
        let encoder = builder.add("encoder", AACEncoder()) { $0.bitRate = bitRate }
        let movie = builder.add("movie", MP4Sink()) {
          ($0.path, $0.optimizeForNetworkUse) = (file.path, true)
        }
        builder.connect(upload.output, to: encoder.input)
        builder.connect(encoder.output, to: movie.audio)
      }
    }
    return try Response(
      status: .ok, headers: [.contentType: "audio/mp4"], body: file.body(holding: slot))
  }
}

/// A file that is gone with its last holder.
final class TemporaryFile: Sendable {
  let path: String

  init(ending: String) {
    path = FileManager.default.temporaryDirectory.path + "/media-\(UUID())\(ending)"
  }

  /// What the file holds, to be sent in parts; `holder` is let go then.
  func body(holding holder: any Sendable) throws -> ResponseBody {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    let size = try file.seekToEnd()
    try file.seek(toOffset: 0)
    return ResponseBody(contentLength: Int(size)) { [self] writer in
      defer { withExtendedLifetime((self, holder)) { try? file.close() } }
      while let data = try file.read(upToCount: 64 << 10), !data.isEmpty {
        try await writer.write(ByteBuffer(bytes: data))
      }
      try await writer.finish(nil)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
