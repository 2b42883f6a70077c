// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Lifetimes"),
]

/// What only the thread sanitizer needs, which `make sanitize` asks for.
let sanitizing: [SwiftSetting] =
  Context.environment["GRAPHKIT_SANITIZE"] == "thread" ? [.define("THREAD_SANITIZER")] : []

// Who uses GraphKit needn't fetch what only builds its documentation: `make docs` sets this.
let documentation: [Package.Dependency] =
  Context.environment["GRAPHKIT_DOCS"] == "1"
  ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []

/// What `make fuzz` builds, in a folder of its own and with a sanitizer that nothing else has.
let fuzzing: [Target] =
  Context.environment["GRAPHKIT_FUZZ"] == "1"
  ? [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "Batch", "Containers", "GStreamer", "GraphKit", "JSON", "Kernels", "Media", "Nodes",
        "GraphKitSystem",
      ],
      path: "Tests/Fuzz",
      swiftSettings: strict)
  ] : []

let package = Package(
  name: "GraphKit",
  products: [
    .library(name: "GraphKit", targets: ["GraphKit"]),
    .library(name: "GraphKitPlugin", type: .dynamic, targets: ["GraphKit"]),
    .library(name: "Nodes", targets: ["Nodes"]),
    .library(name: "AssetIO", targets: ["AssetIO"]),
    .library(name: "GraphTesting", targets: ["GraphTesting"]),
    .executable(name: "graphctl", targets: ["graphctl"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ] + documentation,
  targets: [
    .systemLibrary(
      name: "CGStreamer",
      pkgConfig: """
        gstreamer-1.0 gstreamer-base-1.0 gstreamer-video-1.0 gstreamer-audio-1.0 gstreamer-tag-1.0
        """,
      providers: [
        .apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])
      ]),
    .systemLibrary(
      name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CKernels"),
    .systemLibrary(name: "CASS"),
    .systemLibrary(name: "CPango"),
    .systemLibrary(name: "CGraphKitSystem"),
    .target(name: "GraphKitSystem", dependencies: ["CGraphKitSystem"], swiftSettings: strict),
    .target(
      name: "Kernels", dependencies: ["CASS", "CEBUR128", "CKernels", "CPango"],
      swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict),
    .target(name: "Media", dependencies: ["JSON"], swiftSettings: strict),
    .target(name: "Containers", dependencies: ["Media", "GraphKitSystem"], swiftSettings: strict),
    .target(
      name: "GStreamer", dependencies: ["CGStreamer", "Kernels", "GraphKitSystem"],
      swiftSettings: strict + sanitizing),
    .target(
      name: "GraphKit",
      dependencies: ["Containers", "GStreamer", "JSON", "Kernels", "Media", "GraphKitSystem"],
      swiftSettings: strict),
    .target(
      name: "Nodes", dependencies: ["Containers", "GraphKit", "Kernels", "GraphKitSystem"],
      swiftSettings: strict),
    .target(
      name: "AssetIO", dependencies: ["GraphKit", "Nodes", "GraphKitSystem"], swiftSettings: strict),
    .target(
      name: "Batch",
      dependencies: ["GStreamer", "GraphKit", "JSON", "GraphKitSystem"],
      resources: [.embedInCode("Engine/ray_driver.py")],
      swiftSettings: strict),
    .target(
      name: "GraphTesting", dependencies: ["GraphKit", "JSON", "Media", "GraphKitSystem"],
      swiftSettings: strict),
    .executableTarget(
      name: "graphctl",
      dependencies: [
        "AssetIO", "Batch", "Containers", "GStreamer", "GraphKit", "JSON", "Kernels", "Media",
        "Nodes", "GraphKitSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict,
      linkerSettings: [
        // Plug-ins use the GraphKit of the program that loads them.
        .unsafeFlags(["-Xlinker", "--export-dynamic"]),
        // Loading the Swift runtime's libraries would be a third of a short run.
        .unsafeFlags(
          [
            "-use-ld=lld", "-no-toolchain-stdlib-rpath", "-Xclang-linker",
            "--config=\(Context.packageDirectory)/Scripts/whole-runtime.cfg",
          ], .when(platforms: [.linux], configuration: .release)),
      ]),
    .executableTarget(
      name: "LeakCheck",
      dependencies: [
        "AssetIO", "Containers", "GStreamer", "GraphKit", "JSON", "Kernels", "Media", "Nodes",
        "GraphKitSystem",
      ],
      path: "Benchmarks/LeakCheck", swiftSettings: strict),
    .executableTarget(
      name: "MovieCheck", dependencies: ["Containers", "Media", "GraphKitSystem"],
      path: "Benchmarks/MovieCheck", swiftSettings: strict),
    .executableTarget(
      name: "SampleCheck", dependencies: ["AssetIO", "GraphKit", "Nodes"],
      path: "Benchmarks/SampleCheck", swiftSettings: strict),
    // It computes over millions of samples, which takes seconds without optimization.
    .target(
      name: "TestTools", path: "Tests/TestTools",
      swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .testTarget(
      name: "GraphKitTests",
      dependencies: [
        "Batch", "Containers", "GStreamer", "GraphKit", "JSON", "Kernels", "Media", "Nodes",
        "GraphKitSystem",
        "GraphTesting", "TestTools",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NodesTests",
      dependencies: [
        "Containers", "GraphKit", "Kernels", "Nodes", "GraphTesting", "GraphKitSystem", "TestTools",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AssetIOTests",
      dependencies: ["AssetIO", "GraphKit", "Nodes", "GraphKitSystem", "TestTools"],
      swiftSettings: strict),
    .testTarget(
      name: "BatchTests", dependencies: ["Batch", "GraphKit", "GraphKitSystem", "TestTools"],
      swiftSettings: strict),
    .testTarget(
      name: "graphctlTests", dependencies: ["GraphKit", "Nodes", "GraphKitSystem", "TestTools"],
      swiftSettings: strict),
  ] + fuzzing
)
