import GraphKit

/// The machine, with every file that a graph would write counted as free to be replaced.
struct OverwritingEnvironment: ForwardingEnvironment {
  let base: any Environment = LiveEnvironment()

  var replacesFiles: Bool { true }
}
