// swift-tools-version: 6.2
import PackageDescription

let graphKit: [Target.Dependency] = [.product(name: "GraphKitPlugin", package: "GraphKit")]

let package = Package(
  name: "InvertPlugin",
  products: [
    .library(name: "InvertPlugin", type: .dynamic, targets: ["InvertPlugin"]),
    .library(name: "BrightnessPlugin", type: .dynamic, targets: ["BrightnessPlugin"]),
  ],
  dependencies: [.package(name: "GraphKit", path: "../../..")],
  targets: [
    .target(
      name: "InvertPlugin", dependencies: graphKit, swiftSettings: [.swiftLanguageMode(.v6)]),
    .target(
      name: "BrightnessPlugin", dependencies: graphKit, swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
