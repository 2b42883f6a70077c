/// The colours of a role: a pale one for the box, a strong one for its edge, and both for dark
/// pages. Chosen to be distinguishable with the common kinds of colour blindness, by lightness too.
struct Palette {
  let fill: String
  let line: String
  let darkFill: String
  let darkLine: String

  init(_ role: NodeRole) {
    (fill, line, darkFill, darkLine) =
      switch role {
      case .source: ("#e3f4ea", "#2a8f5b", "#173a29", "#5fce95")
      case .decoder: ("#e2f3f5", "#1f8a98", "#12363c", "#57c4d3")
      case .converter: ("#eef0f3", "#6b7684", "#2a2f37", "#a3adba")
      case .effect: ("#efe9fb", "#7a4fcf", "#2e2348", "#b294f0")
      case .reducer: ("#fdf3d7", "#b98600", "#3b3010", "#e6b93c")
      case .encoder: ("#fdeadb", "#cf6a1e", "#42270f", "#f2a263")
      case .sink: ("#e4ecfb", "#2f66c4", "#182a4c", "#7ea8f2")
      case .general: ("#f0eeea", "#7a7266", "#322f2a", "#b5ac9d")
      }
  }
}
