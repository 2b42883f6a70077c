import Foundation
import GraphKit
import Hummingbird
import Logging
import Nodes

/// `GET /frames/NAME?time=12.5&width=640`: what a movie of the folder shows at a time, as JPEG.
struct FrameRoute: Sendable {
  let folder: URL
  let limits: MediaServer.Limits
  let slots: Slots
  let logger: Logger

  func respond(to request: Request, name: String) async throws -> Response {
    let parameters = request.uri.queryParameters
    let time = parameters.get("time", as: Double.self) ?? 0
    let width = parameters.get("width", as: Int.self)
    guard (0...31_536_000).contains(time), (16...8_192).contains(width ?? 16) else {
      throw HTTPError(.badRequest, message: "time is from 0 s on, and width from 16 to 8,192")
    }
    // A name, and no path to somewhere else.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard names.contains(name), !name.hasPrefix(".") else {
      throw HTTPError(.notFound, message: "there is no such movie")
    }
    let slot = try slots.take()
    defer { withExtendedLifetime(slot) {} }
    let path = folder.appending(path: name).path
    let picture: [UInt8] = try await request.body.consumeWithCancellationOnInboundClose { _ in
      try await self.picture(of: path, at: time, width: width)
    }
    return Response(
      status: .ok, headers: [.contentType: "image/jpeg"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture)))
  }

  private func picture(of path: String, at time: Double, width: Int?) async throws -> [UInt8] {
    let pipeline: Pipeline
    do { pipeline = try self.pipeline(path, time, width) } catch {
      // What is wrong has the path in it, which is none of the client's business.
      logger.info("no frame: \(error)")
      throw HTTPError(.unprocessableContent, message: "the movie shows nothing then")
    }
    let pictures = try pipeline.output("picture")
    pipeline.start()
    return try await withTaskCancellationHandler {
      let picture = await pictures.next()
      pipeline.cancel()
      _ = await pipeline.report()
      guard let picture else {
        try Task.checkCancellation()
        throw HTTPError(.unprocessableContent, message: "the movie shows nothing then")
      }
      return picture.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    } onCancel: {
      pipeline.cancel()
    }
  }

  private func pipeline(_ path: String, _ time: Double, _ width: Int?) throws -> Pipeline {
    var builder = GraphBuilder(catalog: .builtIn)
    let file = builder.add("file", FileSource()) { ($0.path, $0.from) = (path, time) }
    let decoder = builder.add("decoder", Decoder()) { $0.media = .video }
    let size = builder.add("size", Scale()) { $0.width = width }
    let encoder = builder.add("jpeg", GStreamerElement()) { $0.element = "jpegenc" }
    let picture = builder.add("picture", AppOutput())
    builder.connect(file.video, to: decoder.input)
    builder.connect(decoder.output, to: size.port("in", as: AnyMedia.self))
    builder.connect(size.port("out", as: AnyMedia.self), to: encoder.input)
    builder.connect(encoder.output, to: picture.input)
    let machine = LiveEnvironment()
    return try Pipeline(Plan(builder.build(in: machine)), environment: machine)
  }
}
