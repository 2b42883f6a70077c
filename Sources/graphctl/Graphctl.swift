import ArgumentParser
import GraphKit
import Nodes

@main
struct Graphctl: AsyncParsableCommand {
  @Argument var file: String
  @Option var set: [String] = []
  @Flag var verbose = false
  func run() async throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let document = try GraphDocument(json: text)
    var sets: [String: String] = [:]
    for s in set { let p = s.split(separator: "=", maxSplits: 1).map(String.init); sets[p[0]] = p[1] }
    let env = LiveEnvironment()
    let graph = try Graph(checking: document, catalog: .builtIn, environment: env, set: sets)
    for n in graph.notices { print(n) }
    let plan = try Plan(graph)
    if verbose { print(plan) }
    let pipeline = try Pipeline(plan, environment: env)
    if verbose { Task { for await e in pipeline.events() { print(e) } } }
    do { print(try await pipeline.run()) } catch let e as RunError { print("FAILED", e, e.report) }
  }
}
import Foundation
