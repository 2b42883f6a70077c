import Containers
import Media
import GraphKitSystem

// Writes movies that are long or large without a sample of media in them, and says how long their
// ends take. `Benchmarks/run j` starts it.
//
//   MovieCheck recording HOURS FILE   60 frames and 47 packets of AAC a second, 100 ms a fragment
//   MovieCheck sparse HOURS GIB FILE  a frame and a packet every 10 s, of so many GiB together

let words = Array(CommandLine.arguments.dropFirst())
if words.count == 3, words[0] == "recording", let hours = Double(words[1]) {
  try LongMovie(words[2]).record(hours: hours)
} else if words.count == 4, words[0] == "sparse", let hours = Double(words[1]),
  let size = Int(words[2])
{
  try LongMovie(words[3]).fill(hours: hours, byteCount: size << 30)
} else {
  print("MovieCheck recording HOURS FILE\nMovieCheck sparse HOURS GIB FILE")
}
