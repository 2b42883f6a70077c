import Foundation
import GraphKit
import Testing

@testable import WaveformView

@Suite struct WaveformViewTests {
  /// Its first half is silent, the second a tone at half of full scale.
  private func sound(_ ending: String = "wav", seconds: Int = 2) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID()).\(ending)"
    let ffmpeg = Process()
    ffmpeg.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
    ffmpeg.arguments = [
      "-v", "error", "-f", "lavfi", "-i",
      "aevalsrc='if(lt(t,\(seconds)/2),0,0.5*sin(2*PI*440*t))':d=\(seconds):s=48000", path,
    ]
    try ffmpeg.run()
    ffmpeg.waitUntilExit()
    return path
  }

  @Test func thePathIsInsideOfTheInsetsAndAsLoudAsTheSound() async throws {
    var view = WaveformPath()
    (view.width, view.height, view.insets) = (216, 100, (8, 10))
    var last: [WaveformPath.Column] = []
    for try await peaks in WaveformLoader(path: try sound(), pointCount: 200).waveforms() {
      last = view.columns(of: peaks)
    }
    #expect(last.count == 200)
    #expect(last.first?.x == 8.5 && last.last?.x == 207.5)
    #expect(last.prefix(99).allSatisfy { $0.top == 50 && $0.bottom == 50 })
    // Half of the 40 points between the middle and the inset.
    #expect(last.suffix(99).allSatisfy { abs($0.top - 30) < 0.2 && abs($0.bottom - 70) < 0.2 })
  }

  @Test func itIsThereInPartsWhileItLoads() async throws {
    var counts: [Int] = []
    for try await peaks in WaveformLoader(path: try sound("flac", seconds: 60), pointCount: 100)
      .waveforms()
    {
      counts.append(peaks.count)
    }
    #expect(counts.count > 3 && counts == counts.sorted() && counts.last == 100)
  }

  @Test func aFileThatIsNoSoundIsSaid() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID()).wav"
    try Data("no sound".utf8).write(to: URL(fileURLWithPath: path))
    await #expect(throws: (any Error).self) {
      for try await _ in WaveformLoader(path: path, pointCount: 10).waveforms() {}
    }
  }
}
