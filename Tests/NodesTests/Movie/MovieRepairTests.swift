import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers

/// Movies that were cut off, and are completed.
@Suite(.inTurn) struct MovieRepairTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func recorded() async throws -> [UInt8] {
    let log = WriteLog()
    _ = try await EncodedTracks().write(to: log)
    return log.file
  }

  @Test func fragmentsBecomeAnOrdinaryMovie() async throws {
    let path = try scratch.write(try await recorded(), to: "a.mp4")
    let before = try MovieReader.read(path)
    #expect(before.isFragmented)
    let found = try MovieRepair.repair(path)
    #expect(found.wasFragmented && found.lostBytes == 0 && !found.movie.isFragmented)
    #expect(found.movie.tracks.map(\.sampleCount) == before.tracks.map(\.sampleCount))
    #expect(try BoxChecker(path).faults == [])
    #expect(try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"]).isEmpty)
    #expect(try !MovieRepair.repair(path).wasFragmented, "repairing twice is repairing once")
  }

  /// What a playlist names stays where it is.
  @Test func aStreamThatIsRepairedStaysAStream() async throws {
    let log = WriteLog()
    var settings = MovieWriter.Settings()
    settings.segmentDuration = 1_000_000_000
    let movie = try await EncodedTracks(seconds: 5).write(to: log, settings)
    let head = try #require(movie.segments.head)
    let named = [head] + movie.segments.all.map(\.bytes)
    #expect(named.count > 2)
    let path = try scratch.write(log.file, to: "a.mp4")
    #expect(try MovieRepair.repair(path).wasFragmented)
    let repaired = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for range in named { #expect(repaired[range] == log.file[range], "\(range)") }
    #expect(try BoxChecker(path).faults == [])
  }

  /// Other programs write a fragment's description first: its last samples may be missing.
  @Test(arguments: ["frag_keyframe+empty_moov", "frag_keyframe+empty_moov+default_base_moof"])
  func othersMoviesThatWereCutOffAnywhere(_ flags: String) throws {
    let whole = scratch.path("whole.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=160x120:r=25:d=4 -f lavfi -i sine=r=48000:d=4 -c:v libx264 -g 25",
      "-bf 2 -pix_fmt yuv420p -c:a aac -movflags \(flags)", to: whole)
    let data = Array(try Data(contentsOf: URL(fileURLWithPath: whole)))
    var counts: [Int] = []
    for part in 3...10 {
      let cut = data[..<(part == 10 ? data.count : data.count * part / 10 + part)]
      let path = try scratch.write(cut, to: "cut.mp4")
      let found = try MovieRepair.repair(path)
      let checker = try BoxChecker(path)
      #expect(checker.faults == [], "\(part)")
      #expect(try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"]).isEmpty)
      counts.append(checker.tracks.first?.sampleCount ?? 0)
      if part == 10 { #expect(found.lostBytes < 1_000) }
    }
    #expect(counts == counts.sorted() && counts.first! > 20 && counts.last! == 100, "\(counts)")
  }

  /// What players presented together is presented together afterwards.
  @Test(arguments: ["frag_keyframe+empty_moov", "frag_keyframe+empty_moov+delay_moov"])
  func audioStaysInStepWithVideo(_ flags: String) throws {
    let whole = scratch.path("whole.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=160x120:r=25:d=4 -f lavfi -i sine=r=48000:d=4 -c:v libx264 -g 25",
      "-bf 2 -pix_fmt yuv420p -c:a aac -movflags \(flags)", to: whole)
    let data = Array(try Data(contentsOf: URL(fileURLWithPath: whole)))
    let path = try scratch.write(data.prefix(data.count * 7 / 10), to: "cut.mp4")
    let before = try firstTime(of: "v", in: path) - firstTime(of: "a", in: path)
    _ = try MovieRepair.repair(path)
    let after = try firstTime(of: "v", in: path) - firstTime(of: "a", in: path)
    #expect(abs(after - before) < 0.001, "\(before) became \(after)")
  }

  /// When the first packet of a movie's first track of a kind is presented, in seconds, as ffprobe has it.
  private func firstTime(of kind: String, in path: String) throws -> Double {
    let words = ["-v", "fatal", "-select_streams", kind, "-show_entries", "packet=pts_time", "-of"]
    let data = try tool("ffprobe", words + ["csv=p=0", path])
    let times = String(decoding: data, as: UTF8.self).split(whereSeparator: { ",\n".contains($0) })
    return try #require(times.compactMap { Double($0) }.min())
  }

  /// Some programs list the first samples in the index, and only what follows in fragments.
  @Test(arguments: ["frag_keyframe", "frag_keyframe+default_base_moof"])
  func samplesInTheIndexAndInFragmentsAreJoined(_ flags: String) throws {
    let whole = scratch.path("whole.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=160x120:r=25:d=4 -f lavfi -i sine=r=48000:d=4 -c:v libx264 -g 25",
      "-bf 2 -pix_fmt yuv420p -c:a aac -movflags \(flags)", to: whole)
    let before = try frames(of: whole)
    #expect(before.count > 280)
    let data = Array(try Data(contentsOf: URL(fileURLWithPath: whole)))
    var counts: [Int] = []
    for part in [5, 7, 9, 10] {
      let path = try scratch.write(data.prefix(data.count * part / 10), to: "cut.mp4")
      #expect(try MovieRepair.repair(path).wasFragmented)
      #expect(try BoxChecker(path).faults == [], "\(part)")
      let now = try frames(of: path)
      #expect(Set(now).isSubset(of: before))
      counts.append(now.count)
    }
    #expect(
      counts == counts.sorted() && counts[0] > 100 && counts.last == before.count, "\(counts)")
  }

  /// The checksums of a movie's packets, by stream and size.
  private func frames(of path: String) throws -> [Substring] {
    let words = ["-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "framemd5", "-"]
    return String(decoding: try tool("ffmpeg", words), as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in
        let fields = line.split(separator: ",")
        return fields[0] + fields[4] + fields[5]
      }
  }

  /// What a fragment doesn't say of its samples, the index says for all.
  @Test func defaultsOfTheIndexHold() async throws {
    var bytes = try await recorded()
    let before = try MovieReader.read(scratch.write(bytes, to: "a.mp4")).tracks[1].mediaDuration
    func patch(_ type: String, _ body: (Int) -> Void) {
      let letters = Array(type.utf8)
      for place in 0..<bytes.count - 40 where bytes[place..<place + 4] == letters[...] {
        body(place + 4)
      }
    }
    // A track's usual duration in `tfhd` becomes the number of its description.
    var count = 0
    patch("tfhd") { place in
      guard bytes[place + 7] == 2, bytes[place + 3] & 0x8 != 0 else { return }
      bytes[place + 3] ^= 0xa
      count += 1
    }
    #expect(count > 3)
    patch("trex") { place in
      if bytes[place + 7] == 2 { (bytes[place + 14], bytes[place + 15]) = (4, 0) }
    }
    let path = try scratch.write(bytes, to: "a.mp4")
    #expect(try MovieReader.read(path).tracks[1].mediaDuration == before)
  }

  @Test func primingThatNoEditListSkipsIsSkipped() throws {
    var samples = [Int16](repeating: 0, count: 144_000)
    (samples[12_000], samples[96_000]) = (30_000, 30_000)
    let raw = try scratch.write(bytes(samples), to: "impulse.raw")
    let path = scratch.path("impulse.mp4")
    try ffmpeg(
      "-f s16le -ar 48000 -ac 1 -i \(raw) -c:a aac -use_editlist 0",
      "-movflags frag_keyframe+empty_moov -frag_duration 200000", to: path)
    _ = try MovieRepair.repair(path)
    let sound = try decodedSound(of: path)
    #expect(impulse(sound, near: 12_000) == 12_000 && impulse(sound, near: 96_000) == 96_000)
  }

  private func impulse(_ sound: [Int16], near place: Int) -> Int? {
    (max(0, place - 3000)..<min(sound.count, place + 3000)).max {
      abs(Int(sound[$0])) < abs(Int(sound[$1]))
    }
  }

  @Test func aMovieWithoutAnIndexIsAnErrorAndStaysAsItIs() async throws {
    let whole = scratch.path("whole.mp4")
    try ffmpeg("-f lavfi -i sine=d=1 -c:a aac", to: whole)
    let data = Array(try Data(contentsOf: URL(fileURLWithPath: whole))).prefix(4_000)
    let path = try scratch.write(data, to: "cut.mp4")
    let error = #expect(throws: NodeError.self) { try MovieRepair.repair(path) }
    #expect(error?.message.contains("has no `moov` box") == true)
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == Array(data))
  }

  @Test func brokenMoviesAreErrorsAndNeverTraps() async throws {
    let log = WriteLog()
    var movie = try await EncodedTracks().write(to: log)
    let pieces = log.file
    try movie.finish()
    let whole = log.file
    var state: UInt64 = 42
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var outcomes: Set<Bool> = []
    for round in 0..<300 {
      var broken = round % 3 == 0 ? pieces : whole
      let area = round % 3 == 0 ? 0..<8_000 : (whole.count - 4_000)..<whole.count
      for _ in 0..<8 { broken[area.lowerBound + next(area.count)] = UInt8(next(256)) }
      if round % 5 == 0 { broken = Array(broken[..<next(broken.count)]) }
      let path = try scratch.write(broken, to: "broken.mp4")
      _ = try? MovieReader.read(path)
      outcomes.insert((try? MovieRepair.repair(path)) != nil)
    }
    #expect(outcomes == [true, false])
    let noise = try scratch.write((0..<5_000).map { _ in UInt8(next(256)) }, to: "noise.mp4")
    #expect(throws: NodeError.self) { try MovieReader.read(noise) }
    #expect(throws: NodeError.self) { try MovieReader.read(scratch.path("none.mp4")) }
    #expect(throws: NodeError.self) { try MovieReader.read(scratch.folder) }
  }
}
