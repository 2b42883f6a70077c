import TestTools
import Testing

/// How much of a file is read for a part from late in it, as the system is asked.
@Suite(.inTurnOrAlone) struct LateRangeTests {
  @Test func whatComesBeforeAPartIsNotRead() async throws {
    let folder = try Folder()
    let source = "-f lavfi -i testsrc2=s=320x240:r=25:d=30 -c:v libx264 -preset ultrafast -qp 4"
    let words = "-v error \(source) -g 25 long.mp4".split(separator: " ").map(String.init)
    try await Tool.run("ffmpeg", words, in: folder.url)
    try folder.write(
      "part.json",
      """
      { "parameters": { "from": 0 },
        "nodes": {
          "in": { "type": "file", "path": "long.mp4", "from": "${from}", "duration": 1 },
          "d": { "type": "decoder", "media": "video" }, "out": { "type": "nullSink" } },
        "wires": ["in.video -> d -> out"] }
      """)
    let (first, late) = (
      try await bytesRead(from: 1, folder), try await bytesRead(from: 28, folder)
    )
    // A second of thirty is read, the index, and on a busy machine some seconds of the file's beginning
    // before the reader is told where to go.
    let whole = try folder.data("long.mp4").count
    #expect(first > 0 && late < first + whole / 2, "\(first), \(late) of \(whole)")
  }

  /// How many bytes of the movie a run reads.
  private func bytesRead(from start: Int, _ folder: Folder) async throws -> Int {
    let words =
      "strace -f -y -o calls -e trace=read,pread64 \"$0\" run part.json --quiet --set from=\(start); "
      + "grep 'long.mp4>' calls | sed 's/.* = //' | awk '{ sum += $1 } END { print sum }' > count"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    return try #require(Int(folder.text("count").dropLast()))
  }
}
