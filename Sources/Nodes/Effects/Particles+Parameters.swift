import GraphKit

extension Particles {
  public static let declaration = NodeDeclaration<Particles>(
    "particles", role: .effect, help: "Lets soft round particles fly from a point of frames.",
    example: "camera -> particles -> encoder",
    parameters: [
      .number(
        "x", \.x, in: 0...1, live: true,
        help: "Where they come from, from left (0) to right (1)."),
      .number(
        "y", \.y, in: 0...1, live: true,
        help: "Where they come from, from the top (0) to the bottom (1)."),
      .number("from", \.from, in: 0...1_000_000, unit: "s", help: "When the first one comes."),
      .number(
        "until", \.until, in: 0...1_000_000, unit: "s",
        help: "When the last one comes; left out, never."),
      .number("rate", \.rate, in: 0...20_000, unit: "1/s", help: "How many come each second."),
      .number(
        "life", \.life, in: 0.01...60, unit: "s",
        help: "How long one lives at most; the shortest, 0.6 of it."),
      .number(
        "speed", \.speed, in: 0...20, unit: "frame heights/s",
        help: "How fast the fastest fly; the slowest, 0.4 of it."),
      .number(
        "direction", \.direction, in: -360...360, unit: "degrees",
        help: "Where they fly to: 0 is right, 90 up, 270 down."),
      .number(
        "spread", \.spread, in: 0...360, unit: "degrees",
        help: "How wide they spread around the direction."),
      .number(
        "gravity", \.gravity, in: -20...20, unit: "frame heights/s²",
        help: "How much faster they fall each second."),
      .number(
        "size", \.size, in: 0.001...1, unit: "frame heights",
        help: "How large the largest are; the smallest, half of it."),
      .string("colors", \.colors, help: "The colours, rrggbb or rrggbbaa, with commas."),
      .number(
        "opacity", \.opacity, in: 0...1, live: true,
        help: "How much of them shows: from nothing (0) to all of it (1)."),
      .integer("seed", \.seed, in: 0...1_000_000_000, help: "What tells one run from another."),
    ])
}
