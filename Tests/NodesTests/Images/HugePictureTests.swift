import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Pictures of a few bytes that would be gigabytes of pixels.
@Suite(.inTurn) struct HugePictureTests {
  let scratch: TestFolder

  init() throws { scratch = try TestFolder() }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try scratch.write(bytes, to: name)
  }

  private static func svg(_ attributes: String) -> [UInt8] {
    Array("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)><g id=\"a\"/></svg>".utf8)
  }

  /// The beginning of a black PNG.
  private func png(_ side: Int) throws -> String {
    let path = scratch.path("huge.png")
    let words = """
      import struct, sys, zlib
      def chunk(t, d): return struct.pack('>I', len(d)) + t + d + struct.pack('>I', zlib.crc32(t + d))
      side = int(sys.argv[1]); pack = zlib.compressobj(1)
      rows = b''.join(pack.compress(bytes(1 + side)) for _ in range(min(side, 99))) + pack.flush()
      open(sys.argv[2], 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB',
        side, side, 8, 0, 0, 0, 0)) + chunk(b'IDAT', rows) + chunk(b'IEND', b''))
      """
    _ = try tool("python3", ["-c", words, "\(side)", path])
    return path
  }

  @Test(
    arguments: [
      ("", nil), ("width=\"30000\" height='200'", (30_000, 200)),
      ("viewBox=\"0 0 640 480\"", (640, 480)), ("width=\"1in\" viewBox=\"0,0,640,480\"", (96, 72)),
      ("height=\"32\" viewBox=\"0 0 2000000 1000000\"", (64, 32)),
      ("viewBox=\"0 0 nan nan\"", nil), ("viewBox=\"0 0 inf 1e999\"", nil),
      ("width=\"1e308\" viewBox=\"0 0 1e-300 1e300\"", nil),
      ("width=\"100%\" height=\"100%\" viewBox=\"0 0 64 48\"", (64, 48)),
      ("width=\"1e300\" height=\"1e300\"", (1_000_000_000, 1_000_000_000)),
      ("width=\"\" height=\"nan\"", nil), ("width=\"12", nil),
    ] as [(String, (Int, Int)?)])
  func sizeOfSVG(attributes: String, size: (Int, Int)?) {
    let found = PictureSize(.svg, Self.svg(attributes))
    #expect(found?.width == size?.0 && found?.height == size?.1)
  }

  @Test(arguments: ["a.png", "a.jpg", "a.webp", "a.gif"]) func sizeOfPictures(name: String) throws {
    let path = scratch.path(name)
    try ffmpeg("-f lavfi -i testsrc=s=322x246:d=1 -frames:v 1", to: path)
    let file = try PictureFile(path)
    let size = try #require(PictureSize(file.kind, file.bytes))
    #expect(size.width == 322 && size.height == 246)
    for count in 0..<200 { _ = PictureSize(file.kind, Array(file.bytes.prefix(count))) }
  }

  @Test func oneIsRefusedByItsHeader() throws {
    let paths = [
      try png(20_000), try write("a.svg", Self.svg("width=\"30000\" height=\"30000\"")),
      try write(
        "a.webp",
        Array("RIFF\u{40}\0\0\0WEBPVP8X\u{0A}\0\0\0\0\0\0\0".utf8) + [0x2f, 0x75, 0, 0x2f, 0x75, 0]),
    ]
    for path in paths {
      let error = #expect(throws: NodeError.self) { try PictureFile.picture(path) }
      #expect(error?.message.hasSuffix("which is too large") == true)
    }
  }

  /// One whose header hides its size is refused by what its decoder says.
  @Test func soIsOneThatHidesItsSize() throws {
    let path = try write("a.svg", Self.svg("width=\"7&#48;00\" height=\"7&#48;00\""))
    let error = #expect(throws: NodeError.self) { try PictureFile.picture(path) }
    #expect(error?.message == "`\(path)` has a picture of 7000x7000, which is too large")
  }

  /// What is in a file is decoded by GStreamer, which would end the process.
  @Test func aFileOfOneIsAnError() async throws {
    let path = try png(30_000)
    let text = """
      { "nodes": { "in": { "type": "file", "path": "\(path)" }, "d": { "type": "decoder" },
          "c": { "type": "videoConvert", "pixelFormat": "rgba" }, "out": { "type": "nullSink" } },
        "wires": ["in.video -> d -> c -> out"] }
      """
    let error = await #expect(throws: (any Error).self) { try await pipeline(text).run() }
    #expect("\(error ?? NodeError("", remedy: ""))".contains("30000x30000 are too large"))
  }

  @Test func manyPicturesOfALargeCanvasAreRefusedAtOnce() throws {
    let head = Array("GIF89a".utf8) + [0xa0, 0x0f, 0xa0, 0x0f, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let picture: [UInt8] =
      [0x21, 0xf9, 4, 4, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    let pictures = (0..<10_000).flatMap { _ in picture }
    let path = try write("a.gif", head + pictures + [0x3b])
    let error = #expect(throws: NodeError.self) { try Animation(path) }
    #expect(
      error?.message == "`\(path)` has more than 2 pictures of 4000x4000, which is too large")
  }
}
