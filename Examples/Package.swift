// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
let graphKit: [Target.Dependency] = [
  .product(name: "GraphKit", package: "GraphKit"), .product(name: "Nodes", package: "GraphKit"),
]

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "GraphKit", path: "..")],
  targets: [
    .executableTarget(name: "SoundRecorder", dependencies: graphKit, swiftSettings: strict),
    .executableTarget(name: "WaveformView", dependencies: graphKit, swiftSettings: strict),
    .testTarget(
      name: "WaveformViewTests", dependencies: ["WaveformView"] + graphKit, swiftSettings: strict),
  ]
)
