import Foundation
import TestTools
import Testing

/// `graphctl repair`, as a user has it.
@Suite(.inTurn) struct RepairTests {
  private func makeCutMovie(_ name: String, in folder: Folder) async throws {
    let words =
      "ffmpeg -v error -f lavfi -i testsrc=s=64x48:r=25:d=2 -c:v libx264 -g 10 -pix_fmt yuv420p"
      + " -movflags frag_keyframe+empty_moov -f mp4 whole && head -c 12000 whole > \(name)"
    try await Tool.run("sh", ["-c", words], in: folder.url)
  }

  @Test func aMovieIsRepairedInPlaceAndOnlyOnce() async throws {
    let folder = try Folder()
    try await makeCutMovie("a.mp4", in: folder)
    let first = try await Graphctl.run(["repair", "a.mp4"], in: folder)
    #expect(first.status == 0 && first.messages == "")
    #expect(first.output.hasPrefix("a.mp4: repaired: video avc1, "), "\(first.output)")
    #expect(first.output.hasSuffix(" bytes at the end held no whole sample\n"), "\(first.output)")
    let words = "ffmpeg -v warning -i a.mp4 -f null - 2>&1 | wc -c | tr -d '\\n' > said"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    #expect(folder.text("said") == "0")
    let second = try await Graphctl.run(["repair", "a.mp4"], in: folder)
    #expect(
      second
        == .init(status: 0, output: "a.mp4: whole already; nothing was changed\n", messages: ""))
  }

  @Test func aCopyIsRepairedAndTheFileStays() async throws {
    let folder = try Folder()
    try await makeCutMovie("a.mp4", in: folder)
    let before = try Data(contentsOf: folder.url.appendingPathComponent("a.mp4"))
    try folder.write("taken.mp4", "mine")
    let refused = try await Graphctl.run(["repair", "a.mp4", "-o", "taken.mp4"], in: folder)
    #expect(refused.status == 73 && folder.text("taken.mp4") == "mine")
    #expect(refused.messages.contains("`taken.mp4` is there already"))
    let done = try await Graphctl.run(
      ["repair", "a.mp4", "-o", "b.mp4", "--format", "json"], in: folder)
    #expect(done.status == 0 && done.output.contains("\"wasFragmented\""), "\(done)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("a.mp4")) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names.filter { $0.contains("mp4") } == ["a.mp4", "b.mp4", "taken.mp4"])
  }

  @Test func whatCannotBeRepairedIsAnErrorForEachFile() async throws {
    let folder = try Folder()
    try await makeCutMovie("good.mp4", in: folder)
    try folder.write("bad.mp4", "nothing of a movie")
    let result = try await Graphctl.run(["repair", "bad.mp4", "good.mp4", "none.mp4"], in: folder)
    #expect(result.status == 74)
    #expect(result.output.hasPrefix("good.mp4: repaired: "))
    #expect(result.messages.contains("`bad.mp4` can't be repaired: it has no `moov` box"))
    #expect(result.messages.contains("`none.mp4` can't be read or written"))
  }
}
