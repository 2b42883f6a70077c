/// The true peaks of audio: the highest levels of the waveform between samples, by the interpolation
/// to four times the rate of ITU-R BS.1770-4, Annex 2.
///
/// The peak of a frame is the highest of any channel from the frame before it to the one after. It is
/// known six frames later.
struct TruePeaks: Sendable {
  /// Frames after which that of a frame is known.
  static let delay = 6

  /// The first two of four phases; the others are the same, backwards.
  private static let phases: [[Float]] = [
    [
      0.001_708_984_375, 0.010_986_328_125, -0.019_653_320_312_5, 0.033_203_125,
      -0.059_448_242_187_5, 0.137_329_101_562_5, 0.972_167_968_75, -0.102_294_921_875,
      0.047_607_421_875, -0.026_611_328_125, 0.014_892_578_125, -0.008_300_781_25,
    ],
    [
      -0.029_174_804_687_5, 0.029_296_875, -0.051_757_812_5, 0.089_111_328_125,
      -0.166_503_906_25, 0.465_087_890_625, 0.779_785_156_25, -0.200_317_382_812_5,
      0.101_562_5, -0.058_227_539_062_5, 0.033_081_054_687_5, -0.018_920_898_437_5,
    ],
  ]
  private static let length = 12
  /// No level between samples is higher than the samples around it times this.
  private static let highestOvershoot: Float = 2.1

  /// What is above this is of interest: peaks that can't be above it are those of samples alone.
  private let threshold: Float
  /// For each channel the last samples, and how many frames one of them is that may lead to a peak.
  private var tails: [[Float]]
  private var loudFrames: [Int]
  private var last: Float = 0
  private var skipped = 0
  private var peaks: [Float] = []

  /// The peaks of audio of so many channels, exact where they are above a threshold.
  init(channels: Int, above threshold: Float) {
    self.threshold = threshold / Self.highestOvershoot
    tails = Array(repeating: Array(repeating: 0, count: Self.length - 1), count: channels)
    loudFrames = Array(repeating: 0, count: channels)
  }

  /// Takes a block, and calls `body` with the peaks of the frames that are known by then.
  mutating func add(_ sound: borrowing PlanarAudio, each body: (Float) -> Void) {
    peaks.removeAll(keepingCapacity: true)
    peaks.append(contentsOf: repeatElement(0, count: sound.frameCount))
    for channel in tails.indices { add(channel, of: sound) }
    for peak in peaks { hand(peak, to: body) }
  }

  /// Calls `body` with the peaks of the last frames: silence follows.
  mutating func finish(each body: (Float) -> Void) {
    var silence = PlanarAudio()
    silence.set(frames: Self.delay, channels: tails.count)
    add(silence, each: body)
  }

  /// What is between two frames belongs to both.
  private mutating func hand(_ peak: Float, to body: (Float) -> Void) {
    defer { last = peak }
    guard skipped == Self.delay else {
      skipped += 1
      return
    }
    body(max(last, peak))
  }

  private mutating func add(_ channel: Int, of sound: borrowing PlanarAudio) {
    let start = channel * sound.frameCount
    let samples = tails[channel] + sound.levels[start..<start + sound.frameCount]
    var loud = loudFrames[channel]
    for frame in 0..<sound.frameCount {
      if abs(samples[frame + Self.length - 1]) > threshold { loud = Self.length }
      var peak = abs(samples[frame + Self.length - 1 - Self.delay])
      if loud > 0 {
        loud -= 1
        peak = max(peak, Self.highest(samples, frame))
      }
      if peak > peaks[frame] { peaks[frame] = peak }
    }
    loudFrames[channel] = loud
    tails[channel] = Array(samples.suffix(Self.length - 1))
  }

  /// The highest of the four levels after the sixth of twelve samples.
  private static func highest(_ samples: [Float], _ start: Int) -> Float {
    var highest: Float = 0
    for phase in phases {
      var (forward, backward): (Float, Float) = (0, 0)
      for index in 0..<length {
        forward += phase[index] * samples[start + index]
        backward += phase[length - 1 - index] * samples[start + index]
      }
      highest = max(highest, max(abs(forward), abs(backward)))
    }
    return highest
  }
}
