import AssetIO
import GraphKit
import Nodes

// Writes frames that a program draws into a movie: `SampleCheck input|writer|delegate FRAMES PATH`, by an
// `appInput`'s writing end, by an `AssetWriter`, or by a delegate that is asked for each frame.
// Benchmarks/samples.c does the same in C; Benchmarks/samples.py runs them by turns.

let words = CommandLine.arguments
guard words.count == 4, let count = Int(words[2]) else {
  fatalError("Usage: SampleCheck input|writer|delegate FRAMES PATH")
}
let movie = DrawnMovie(count: count, path: words[3])
switch words[1] {
case "input": try await movie.writeByGraph()
case "writer": try await movie.writeByWriter()
case "delegate": try await movie.writeByDelegate(Stripes(count: count))
default: fatalError("\(words[1]) is none of input, writer and delegate")
}
