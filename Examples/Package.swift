// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
let assetIO: [Target.Dependency] = [
  .product(name: "AssetIO", package: "GraphKit"), .product(name: "GraphKit", package: "GraphKit"),
]
let recording = assetIO + [.product(name: "Nodes", package: "GraphKit")]
let graphKit: [Target.Dependency] = [
  .product(name: "GraphKit", package: "GraphKit"), .product(name: "Nodes", package: "GraphKit"),
]

let package = Package(
  name: "Examples",
  dependencies: [
    .package(name: "GraphKit", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "FilterCamera", dependencies: ["Keyboard"] + recording, swiftSettings: strict),
    .executableTarget(name: "FrameMovie", dependencies: assetIO, swiftSettings: strict),
    .target(name: "Keyboard", swiftSettings: strict),
    .executableTarget(
      name: "MediaServer",
      dependencies: recording + [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ], swiftSettings: strict),
    .executableTarget(name: "PacketMuxer", dependencies: assetIO, swiftSettings: strict),
    .executableTarget(
      name: "RecordingStudio", dependencies: ["Keyboard"] + graphKit, swiftSettings: strict),
    .executableTarget(
      name: "SoundRecorder", dependencies: ["Keyboard"] + graphKit, swiftSettings: strict),
    .executableTarget(name: "Transcode720", dependencies: assetIO, swiftSettings: strict),
    .executableTarget(name: "WaveformView", dependencies: graphKit, swiftSettings: strict),
    .testTarget(
      name: "FilterCameraTests", dependencies: ["FilterCamera"] + recording, swiftSettings: strict),
    .testTarget(
      name: "FrameMovieTests", dependencies: ["FrameMovie"] + assetIO, swiftSettings: strict),
    .testTarget(name: "MediaServerTests", dependencies: ["MediaServer"], swiftSettings: strict),
    .testTarget(
      name: "PacketMuxerTests", dependencies: ["PacketMuxer"] + recording, swiftSettings: strict),
    .testTarget(
      name: "RecordingStudioTests", dependencies: ["RecordingStudio"] + assetIO,
      swiftSettings: strict),
    .testTarget(
      name: "Transcode720Tests", dependencies: ["Transcode720"] + assetIO, swiftSettings: strict),
    .testTarget(
      name: "WaveformViewTests", dependencies: ["WaveformView"] + graphKit, swiftSettings: strict),
  ]
)
