import Foundation
import TestTools
import Testing

/// `Scripts/compare-with-ffmpeg`: what it finds, what its table explains, and its exit code.
@Suite(.serialized, .inTurn) struct CompareScriptTests {
  /// The number of frames of each file.
  private static let frames = ["equal": 4_000, "known": 3_000, "new": 2_000, "broken": 1_000]

  /// `graphctl`, but of the files named `known` and `new` it reads the last half alone, and `broken`
  /// ends it.
  private static let faulty = """
    #!/bin/sh
    if [ "$1" = run ]; then words=$(cat "$2"); else words="$*"; fi
    case "$words" in *broken.wav*) kill -SEGV $$ ;; esac
    edit='s/media\\(.*\\)\\(known\\|new\\).wav/halves\\1\\2.wav/'
    if [ "$1" = run ]; then
      sed -i "$edit" "$2"
      exec "$GRAPHCTL_TESTED" "$@"
    fi
    input=$(echo "$2" | sed "$edit")
    shift 2
    exec "$GRAPHCTL_TESTED" waveform "$input" "$@"
    """

  private static let table = """
    | files | check | class | why |
    |---|---|---|---|
    | `media/known.wav` | waveform, audio | count differs, start differs, content differs | Cut. |
    | `*.wav` | remux | graphkit refuses | Another check. |
    | `codec:flac` | any | count differs, crash | Another codec. |

    """

  /// A folder with the files, the program, and the table of what is explained.
  private static func prepared() throws -> Folder {
    let folder = try Folder()
    for place in ["media", "halves"] {
      let url = folder.url.appending(path: place)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      for (name, count) in frames {
        let first = place == "media" ? 0 : count / 2
        try wave(first..<count).write(to: url.appending(path: "\(name).wav"))
      }
    }
    try folder.write("faulty", faulty)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.url.appending(path: "faulty").path)
    try folder.write("table.md", table)
    return folder
  }

  /// A mono WAV file of noise, the same each time.
  private static func wave(_ frames: Range<Int>) -> Data {
    let samples = frames.flatMap { frame -> [UInt8] in
      var noise = UInt32(frame) &* 2_654_435_761
      noise = ((noise ^ (noise >> 15)) &* 2_246_822_507) >> 16
      return [UInt8(noise & 255), UInt8(noise >> 8)]
    }
    func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    var bytes = Array("RIFF".utf8) + four(36 + samples.count) + Array("WAVEfmt ".utf8) + four(16)
    bytes += [1, 0, 1, 0] + four(8_000) + four(16_000) + [2, 0, 16, 0]
    bytes += Array("data".utf8) + four(samples.count)
    return Data(bytes + samples)
  }

  private static func compare(_ arguments: [String], in folder: Folder) async throws -> (
    status: Int32, lines: [String]
  ) {
    let script = Graphctl.repository.appending(path: "Scripts/compare-with-ffmpeg").path
    let (status, output) = try await Tool.result(
      script, arguments + ["--table", "table.md"], in: folder.url,
      environment: ["GRAPHCTL_TESTED": Graphctl.executable.path])
    let place = folder.url.appending(path: "media").path
    return (
      status, output.replacing(place, with: "media").split(separator: "\n").map(String.init)
    )
  }

  private static let findings = [
    "media/broken.wav: waveform: crash: ffmpeg reads 1000",
    "media/broken.wav: audio: crash: ffmpeg reads 1000",
    "media/new.wav: waveform: count differs: 1000, ffmpeg 2000 (-1000)",
    "media/new.wav: audio: count differs: 1000, ffmpeg 2000 (-1000), starts -1000 samples",
    "media/new.wav: audio: start differs: 1000, ffmpeg 2000 (-1000), starts -1000 samples",
  ]

  @Test func listsWhatItsTableDoesNotExplain() async throws {
    let folder = try Self.prepared()
    let (status, lines) = try await Self.compare(
      ["media", "--checks", "waveform,audio", "--graphctl", "./faulty", "--json", "found.json"],
      in: folder)
    #expect(status == 1)
    #expect(lines.prefix { !$0.hasPrefix("class") } == Self.findings[...])
    #expect(
      lines.suffix(4) == [
        "| folder | files | equal | explained | unexplained |", "|---|---|---|---|---|",
        "| media | 4 | 1 | 1 | 2 |", "| all | 4 | 1 | 1 | 2 |",
      ])

    // The same results, once their causes are known.
    try folder.write(
      "table.md", Self.table + "| `new.wav`, `broken.wav` | any | crash, c* | Not a pattern. |\n")
    let (unknown, _) = try await Self.compare(["--results", "found.json"], in: folder)
    #expect(unknown == 1)
    try folder.write(
      "table.md",
      Self.table + "| `new.wav`, `broken.wav` | any | crash, count differs, start differs | Ok. |\n"
    )
    let (explained, left) = try await Self.compare(["--results", "found.json"], in: folder)
    #expect(explained == 0)
    #expect(left.suffix(1) == ["| all | 4 | 1 | 3 | 0 |"])
  }

  @Test func endsWellWhereAllIsEqual() async throws {
    let folder = try Self.prepared()
    let (status, lines) = try await Self.compare(
      ["media", "--checks", "waveform,audio", "--graphctl", Graphctl.executable.path], in: folder)
    #expect(status == 0)
    #expect(lines.first?.hasPrefix("class") == true)
    #expect(lines.suffix(1) == ["| all | 4 | 4 | 0 | 0 |"])
  }
}
