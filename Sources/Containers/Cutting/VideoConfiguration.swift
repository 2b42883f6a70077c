import Media

/// What a movie says of a track of video whose frames can be joined with those of another encoder.
package enum VideoConfiguration: Hashable, Sendable {
  case avc(AVCConfiguration)
  case hevc(HEVCConfiguration)

  /// The boxes of a sample description that have one (ISO/IEC 14496-15).
  static let boxes = ["avcC", "hvcC"]

  /// Reads a box's contents; `nil` where they are cut off or have no parameter sets.
  init?(_ contents: ArraySlice<UInt8>, inBox name: String) {
    self.init(Array(contents), of: name == "hvcC" ? .hevc : .h264)
  }

  /// Reads what a stream of a codec has as its configuration.
  package init?(_ bytes: [UInt8], of codec: Codec) {
    let found =
      codec == .hevc
      ? HEVCConfiguration(bytes).map(Self.hevc) : AVCConfiguration(bytes).map(Self.avc)
    guard let found else { return nil }
    self = found
  }

  package var codec: Codec {
    switch self {
    case .avc: .h264
    case .hevc: .hevc
    }
  }

  /// The bytes of the box.
  package var bytes: [UInt8] {
    switch self {
    case .avc(let configuration): configuration.bytes
    case .hevc(let configuration): configuration.bytes
    }
  }

  /// Bytes of the length that is before each unit of a sample.
  var lengthSize: Int {
    switch self {
    case .avc(let configuration): configuration.lengthSize
    case .hevc(let configuration): configuration.lengthSize
    }
  }

  /// How many frames at most come before one that is presented earlier; `nil` where that isn't said.
  package var reorderedFrames: Int? {
    switch self {
    case .avc(let configuration): configuration.reorderedFrames
    case .hevc(let configuration): configuration.reorderedFrames
    }
  }

  /// Whether an encoder that is here makes frames like these.
  var isEncodedHere: Bool {
    switch self {
    case .avc(let configuration): configuration.isEncodedHere
    case .hevc(let configuration): configuration.isEncodedHere
    }
  }

  /// The numbers that parameter sets of other frames may have beside these.
  package var freeIdentifiers: [Int] {
    switch self {
    case .avc(let configuration): configuration.freeIdentifiers
    case .hevc(let configuration): configuration.freeIdentifiers
    }
  }

  /// Whether all parameter sets that a sample has are these.
  func hasSets(of sample: [UInt8]) -> Bool {
    switch self {
    case .avc(let configuration): configuration.hasSets(of: sample)
    case .hevc(let configuration): configuration.hasSets(of: sample)
    }
  }

  /// Whether what is copied may begin with a sample.
  func beginsSequence(_ sample: [UInt8]) -> Bool {
    switch self {
    case .avc(let configuration): configuration.beginsSequence(sample)
    case .hevc(let configuration): configuration.beginsSequence(sample)
    }
  }

  /// The sample with which what is copied begins, as it is after other frames and without parameter
  /// sets of its own.
  package func beginning(_ sample: [UInt8]) -> [UInt8] {
    switch self {
    case .avc(let configuration): configuration.withoutSets(sample)
    case .hevc(let configuration): configuration.beginning(sample)
    }
  }

  /// A key frame of the file as it is in a copy: of HEVC without the parameter sets that the whole has,
  /// which some encoders repeat.
  package func copied(_ sample: [UInt8]) -> [UInt8] {
    switch self {
    case .avc: sample
    case .hevc(let configuration): configuration.withoutKnownSets(sample)
    }
  }

  /// A sample of frames that were encoded with this configuration, for that of ``numbered(_:)`` and
  /// without parameter sets of its own; `nil` where it needs sets of other numbers than an encoder's.
  package func encoded(_ sample: [UInt8], number: Int) -> [UInt8]? {
    switch self {
    case .avc(let configuration): configuration.withoutSets(sample)
    case .hevc(let configuration): configuration.encoded(sample, number: number)
    }
  }

  /// The configuration of an encoder's frames with another number for its parameter sets; `nil` where it
  /// has more than an encoder makes. Without colours it names none.
  ///
  /// Of each codec it is half of that: the encoder of H.264 is asked for the number, and that of HEVC for
  /// no colours.
  package func numbered(_ number: Int, hasColors: Bool) -> VideoConfiguration? {
    switch self {
    case .avc(let configuration): .avc(hasColors ? configuration : configuration.withoutColors)
    case .hevc(let configuration): configuration.numbered(number).map(Self.hevc)
    }
  }

  /// With the parameter sets of another one beside its own, for samples of both in one track; `nil`
  /// where their sets have the same numbers, or their frames are of other kinds.
  package func joined(with other: VideoConfiguration) -> VideoConfiguration? {
    switch (self, other) {
    case (.avc(let own), .avc(let other)): own.joined(with: other).map(Self.avc)
    case (.hevc(let own), .hevc(let other)): own.joined(with: other).map(Self.hevc)
    default: nil
    }
  }
}
