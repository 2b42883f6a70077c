import Foundation
import TestTools
import Testing

/// Pictures that are cut off, or hold other than they say, are refused with their names.
@Suite(.inTurn) struct CutPictureTests {
  private func check(_ type: String, in folder: Folder) async throws -> Graphctl.Result {
    try folder.write(
      "g.json",
      """
      { "nodes": { "ground": { "type": "testVideo", "width": 64, "height": 64, "frames": 1 },
          "over": { "type": "\(type)", "path": "cut" }, "end": { "type": "nullSink" } },
        "wires": ["ground -> over -> end"] }
      """)
    return try await Graphctl.run(["check", "g.json"], in: folder)
  }

  private func make(_ options: [String], in folder: Folder) async throws -> Data {
    let words = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=48x48:r=10:d=0.5"]
    try await Tool.run("ffmpeg", words + options + ["whole"], in: folder.url)
    return try folder.data("whole")
  }

  @Test func animatedPNGs() async throws {
    let folder = try Folder()
    let whole = try await make(["-f", "apng"], in: folder)
    let place = folder.url.appending(path: "cut")
    try whole.write(to: place)
    #expect(try await check("sticker", in: folder).status == 0)
    for share in [60, 95] {
      try whole.prefix(whole.count * share / 100).write(to: place)
      let result = try await check("sticker", in: folder)
      #expect(result.status == 66)
      #expect(result.messages.contains("`cut` ends or breaks at byte "), "\(result)")
    }
    var wrong = whole
    // The count of acTL stands behind the header, and its sum isn't looked at.
    let count = try #require(whole.firstRange(of: Data("acTL".utf8))).upperBound
    wrong[count + 3] = 9
    try wrong.write(to: place)
    let result = try await check("sticker", in: folder)
    #expect(result.messages.contains("`cut` has 5 parts and not 9"), "\(result)")
  }

  @Test(arguments: [["-f", "mjpeg"], ["-f", "mjpeg", "-pix_fmt", "gray", "-q:v", "31"]])
  func stillJPEGs(options: [String]) async throws {
    let folder = try Folder()
    let whole = try await make(options + ["-frames:v", "1"], in: folder)
    let place = folder.url.appending(path: "cut")
    // Programs write more behind the end.
    try (whole + Data(repeating: 7, count: 100)).write(to: place)
    #expect(try await check("overlay", in: folder).status == 0)
    for type in ["overlay", "watermark", "sticker"] {
      for length in [whole.count * 30 / 100, whole.count * 95 / 100, whole.count - 1] {
        try whole.prefix(length).write(to: place)
        let result = try await check(type, in: folder)
        #expect(result.status == 66)
        #expect(
          result.messages.contains("`cut` ends at byte \(length), before its end marker"),
          "\(result)")
      }
    }
  }
}
