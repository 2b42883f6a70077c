import GStreamer
import GraphKit
import Nodes

// Runs graphs that end in every way there is, many times over in one process. Benchmarks/leaks
// starts it under GStreamer's leaks tracer, which then says what was never released.

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 25
let folder = CommandLine.arguments.dropFirst(2).first ?? "."

for _ in 0..<rounds {
  try await LeakRuns.record(into: "\(folder)/leaks.mp4")
  try await LeakRuns.read("\(folder)/leaks.mp4")
  try await LeakRuns.passThroughSwift()
  try await LeakRuns.fail()
  try await LeakRuns.cancel()
  try await AssetRuns.read("\(folder)/leaks.mp4")
  try await AssetRuns.write(to: "\(folder)/leaks.m4a")
}
// What was let go of ends on threads of its own.
try await Task.sleep(for: .seconds(3))
Library.stop()
print("\(rounds * 7) runs")
