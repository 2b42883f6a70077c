import TestTools
import Testing

@testable import GraphKit

/// A graph with one thing wrong, and all that is to be said of it.
struct BrokenGraph: Sendable, CustomTestStringConvertible {
  var title: String
  var nodes: [String]
  var wires: [String]
  var complaints: [String]

  init(_ title: String, _ nodes: [String], _ wires: [String], _ complaints: String...) {
    self.title = title
    self.nodes = nodes
    self.wires = wires
    self.complaints = complaints
  }

  var testDescription: String { title }
  var json: String { CheckerNodes.json(nodes: nodes, wires: wires) }
}

@Suite("Broken graphs", .inTurn)
struct BrokenGraphTests {
  static let tone = #""tone": { "type": "tone" }"#
  static let picture = #""picture": { "type": "picture" }"#
  static let gain = #""gain": { "type": "gain" }"#
  static let sink = #""sink": { "type": "soundSink", "path": "a.wav" }"#
  static let movie = #""movie": { "type": "movieSink", "path": "a.mp4" }"#
  static let video = #""video": { "type": "videoEncoder" }"#
  static let sound = #""sound": { "type": "soundEncoder" }"#

  /// Mistakes inside a node, all of which a JSON Schema finds as well.
  static let inNodes = [
    BrokenGraph(
      "unknown type", [#""tone": { "type": "tune" }"#, sink], ["tone.x -> sink"],
      "3:23: error: there is no node type `tune`; did you mean `tone`?"),
    BrokenGraph(
      "a type like no other", [tone, #""sink": { "type": "teleporter" }"#], ["tone -> sink.x"],
      "4:23: error: there is no node type `teleporter`; `graphctl nodes` lists the types"),
    BrokenGraph(
      "unknown parameter", [#""tone": { "type": "tone", "frequenzy": 3 }"#, sink], ["tone -> sink"],
      "3:31: error: tone has no parameter `frequenzy`; did you mean `frequency`?"),
    BrokenGraph(
      "a parameter like no other", [tone, #""gain": { "type": "gain", "colour": 3 }"#, sink],
      ["tone -> gain -> sink"], "4:31: error: gain has no parameter `colour`; it has `decibels`"),
    BrokenGraph(
      "number as text", [#""tone": { "type": "tone", "frequency": "high" }"#, sink],
      ["tone -> sink"],
      "3:44: error: `frequency` is text; write a number (Hz), "
        + "or a frequency such as `\"48kHz\"`"),
    BrokenGraph(
      "broken number", [#""tone": { "type": "tone", "channels": 1.5 }"#, sink],
      ["tone -> sink"], "3:43: error: `channels` is 1.5; write a whole number"),
    BrokenGraph(
      "switch as text", [#""tone": { "type": "tone", "live": "yes" }"#, sink],
      ["tone -> sink"], "3:39: error: `live` is text; write true or false"),
    BrokenGraph(
      "null", [#""tone": { "type": "tone", "wave": null }"#, sink], ["tone -> sink"],
      "3:39: error: `wave` is null; write `sine`, `square` or `silence`"),
    BrokenGraph(
      "no fraction",
      [#""picture": { "type": "picture", "frameRate": "fast" }"#, video, movie],
      ["picture -> video -> movie"],
      "3:50: error: `frameRate` is text; write a positive number (1/s), or a fraction such as `\"30000/1001\"`"
    ),
    BrokenGraph(
      "negative frame rate",
      [#""picture": { "type": "picture", "frameRate": -30 }"#, video, movie],
      ["picture -> video -> movie"],
      "3:50: error: `frameRate` is -30; write a positive number (1/s), or a fraction such as `\"30000/1001\"`"
    ),
    BrokenGraph(
      "too large", [tone, #""gain": { "type": "gain", "decibels": 60.5 }"#, sink],
      ["tone -> gain -> sink"], "4:43: error: `decibels` is 60.5 dB; it goes from -120 to 60 dB"),
    BrokenGraph(
      "too small", [#""tone": { "type": "tone", "channels": 0 }"#, sink], ["tone -> sink"],
      "3:43: error: `channels` is 0; it goes from 1 to 8"),
    BrokenGraph(
      "unknown word", [#""tone": { "type": "tone", "wave": "squaer" }"#, sink], ["tone -> sink"],
      "3:39: error: `squaer` is no wave of tone; did you mean `square`?"),
    BrokenGraph(
      "a word like no other", [#""tone": { "type": "tone", "wave": "sawtooth" }"#, sink],
      ["tone -> sink"],
      "3:39: error: `sawtooth` is no wave of tone; write `sine`, `square` or `silence`"),
    BrokenGraph(
      "missing parameter", [tone, #""sink": { "type": "soundSink" }"#], ["tone -> sink"],
      "4:5: error: soundSink needs `path`; add `\"path\": …`: where the sound goes"),
    BrokenGraph(
      "empty path", [tone, #""sink": { "type": "soundSink", "path": "" }"#], ["tone -> sink"],
      "4:44: error: soundSink needs `path`; add `\"path\": …`: where the sound goes"),
    BrokenGraph(
      "list as object",
      [picture, video, #""movie": { "type": "movieSink", "path": "a.mp4", "tags": [] }"#],
      ["picture -> video -> movie"], "5:62: error: `tags` is a list; write an object: `{ … }`"),
  ]

  /// Mistakes that only nodes or wires know of.
  static let inWires = [
    BrokenGraph(
      "the node objects",
      [picture, video, #""movie": { "type": "movieSink", "path": "a.avi" }"#],
      ["picture -> video -> movie.film"],
      "5:45: error: `a.avi` is no movie's name; end it in .mp4"),
    BrokenGraph(
      "the machine objects", [#""file": { "type": "file", "path": "b.mp4" }"#, movie],
      ["file.video -> movie"], "3:39: error: there is no file `b.mp4`; check the path"),
    BrokenGraph(
      "unwired node", [tone, gain, sink], ["tone -> sink"],
      "4:5: error: nothing is wired to `gain`; add a wire, or remove the node"),
    BrokenGraph(
      "unknown node", [tone, gain, sink], ["tone -> gian -> sink"],
      "8:14: error: there is no node `gian`; did you mean `gain`?"),
    BrokenGraph(
      "a node like no other", [tone, sink], ["tone -> sink", "tone -> loudspeaker"],
      "8:14: error: there is no node `loudspeaker`; the graph has `tone` and `sink`"),
    BrokenGraph(
      "unknown port", [picture, video, movie], ["picture -> video -> movie.vidoe"],
      "8:26: error: `movie` has no port `vidoe`; did you mean `video`?"),
    BrokenGraph(
      "a port like no other", [picture, video, movie], ["picture -> video.x -> movie"],
      "8:17: error: `video` has no port `x`; it has `in` and `out`"),
    BrokenGraph(
      "no such instance", [picture, video, movie], ["picture -> video -> movie.video.2"],
      "8:26: error: `movie` has no port `video.2`; did you mean `video`?"),
    BrokenGraph(
      "wire into an output", [tone, gain, sink], ["tone -> gain.out", "gain -> sink"],
      "8:14: error: `gain.out` is an output; a wire ends at an input: `in`"),
    BrokenGraph(
      "wire out of an input", [tone, gain, sink], ["tone -> gain", "gain.in -> sink"],
      "9:6: error: `gain.in` is an input; a wire starts at an output: `out`"),
    BrokenGraph(
      "wire into a source", [tone, gain, sink], ["tone -> gain -> tone", "gain -> sink"],
      "8:22: error: `tone` has no input; it can only be the first of a wire"),
    BrokenGraph(
      "wire through a sink", [tone, gain, sink], ["tone -> gain -> sink -> gain"],
      "8:22: error: `sink` has no output; it can only be the last of a wire"),
    BrokenGraph(
      "ambiguous output",
      [tone, #""split": { "type": "splitter" }"#, sink], ["tone -> split", "split -> sink"],
      "9:6: error: several outputs of `split` fit; name one: `split.left` or `split.right`"),
    BrokenGraph(
      "input fed twice", [tone, #""other": { "type": "tone" }"#, sink],
      ["tone -> sink", "other -> sink"],
      "9:15: error: `sink.in` is already fed by `tone.out`; an input takes one wire; remove one"),
    BrokenGraph(
      "repeatable input fed twice by name",
      [tone, sound, #""more": { "type": "soundEncoder" }"#, movie],
      ["tone -> sound -> movie.audio", "tone -> more -> movie.audio"],
      "10:22: error: `movie.audio` is already fed by `sound.out`; write `movie.audio.2`"),
    BrokenGraph(
      "required input unwired", [gain, sink], ["gain -> sink"],
      "3:5: error: nothing feeds `gain.in`; wire raw audio to it"),
    BrokenGraph(
      "output unwired", [tone, gain, sink], ["tone -> gain", "tone -> sink"],
      "4:5: error: nothing takes what `gain` makes; wire `gain.out` to a node, or to a nullSink"),
    BrokenGraph(
      "circle",
      [#""mixer": { "type": "mixer" }"#, tone, gain, sink],
      ["tone -> mixer -> gain -> mixer", "gain -> sink"],
      "9:31: error: the wires run in a circle: mixer -> gain -> mixer; remove one of them"),
    BrokenGraph(
      "self", [tone, gain, sink], ["tone -> gain -> gain -> sink"],
      "8:22: error: `gain` is wired to itself; wire it to another node"),
    BrokenGraph(
      "no encoder", [picture, movie], ["picture -> movie.video"],
      "7:17: error: `picture.out` gives raw video, but `movie.video` takes encoded video; put `videoEncoder` between"
    ),
    BrokenGraph(
      "no encoder, port not named", [tone, movie], ["tone -> movie"],
      "7:14: error: `tone.out` gives raw audio, but `movie.audio` takes encoded audio; put `soundEncoder` between"
    ),
    BrokenGraph(
      "sound into pictures", [tone, video, movie], ["tone -> video -> movie"],
      "8:14: error: `tone.out` gives raw audio, but `video.in` takes raw video; wire video to `video.in`"
    ),
    BrokenGraph(
      "codec", [#""file": { "type": "file", "path": "dub.mkv" }"#, movie],
      ["file.video -> movie", "file.audio -> movie"],
      "7:20: error: `file.video` gives codec VP9, but `movie.video` takes codec H.264 or HEVC; put `videoEncoder` between"
    ),
    BrokenGraph(
      "codec behind a relay",
      [#""file": { "type": "file", "path": "dub.mkv" }"#, #""relay": { "type": "relay" }"#, movie],
      ["file.video -> relay -> movie"],
      "8:29: error: `relay.out` gives codec VP9, but `movie.video` takes codec H.264 or HEVC; put `videoEncoder` between"
    ),
    BrokenGraph(
      "two sinks, one file",
      [tone, sink, #""copy": { "type": "soundSink", "path": "./a.wav" }"#],
      ["tone -> sink", "tone -> copy"],
      "5:44: error: `sink` and `copy` write the same file, a.wav; give each its own path"),
    BrokenGraph(
      "a source's file overwritten",
      [
        #""file": { "type": "file", "path": "movie.mp4" }"#,
        #""movie": { "type": "movieSink", "path": "movie.mp4" }"#,
      ],
      ["file.video -> movie"],
      "4:45: error: `movie` would overwrite movie.mp4, which `file` reads; give `movie` another path"
    ),
    BrokenGraph(
      "no nodes", [], [], "1:1: error: the graph has no nodes; add a source and a sink to `nodes`"),
  ]

  @Test("a mistake inside a node", arguments: inNodes)
  func node(_ graph: BrokenGraph) {
    #expect(CheckerNodes.complaints(graph.json) == graph.complaints.map { "g.json:" + $0 })
  }

  @Test("a mistake between nodes", arguments: inWires)
  func wire(_ graph: BrokenGraph) {
    #expect(CheckerNodes.complaints(graph.json) == graph.complaints.map { "g.json:" + $0 })
  }
}
