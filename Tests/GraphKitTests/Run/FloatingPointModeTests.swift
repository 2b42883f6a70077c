import GStreamer
import GraphKitSystem
import TestTools
import Testing

/// A library that is loaded on the way changes nothing of how a thread computes: here that of SoundTouch.
@Suite(.inTurn) struct FloatingPointModeTests {
  /// The least of all numbers, as this thread computes it.
  @inline(never) private static func least(_ factor: Double = 0.5) -> Double {
    2 * .leastNonzeroMagnitude * factor
  }

  // Each in a process of its own, since a library is loaded once.

  @Test func whereAnElementIsMade() async {
    await #expect(processExitsWith: .success) {
      Library.start(plugins: nil)
      #expect(Element(factory: "pitch", name: "pitch") != nil)
      #expect(Self.least() > 0)
    }
  }

  @Test func whereAnElementIsInspected() async {
    await #expect(processExitsWith: .success) {
      Library.start(plugins: nil)
      #expect(Library.inspect("pitch") != nil)
      #expect(Self.least() > 0)
    }
  }

  @Test func whereAPluginIsLoaded() async {
    await #expect(processExitsWith: .success) {
      Library.start(plugins: ["soundtouch"])
      #expect(Library.hasFactory("pitch"))
      #expect(Self.least() > 0)
    }
  }

  @Test func whereALibraryIsLoaded() async {
    await #expect(processExitsWith: .success) {
      let paths = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/libSoundTouch.so.1" }
      #expect(paths.contains { (try? PluginLibrary($0)) != nil })
      #expect(Self.least() > 0)
    }
  }
}
