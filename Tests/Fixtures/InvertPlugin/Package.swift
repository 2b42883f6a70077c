// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "InvertPlugin",
  products: [.library(name: "InvertPlugin", type: .dynamic, targets: ["InvertPlugin"])],
  dependencies: [.package(name: "GraphKit", path: "../../..")],
  targets: [
    .target(
      name: "InvertPlugin",
      dependencies: [.product(name: "GraphKitPlugin", package: "GraphKit")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
