import GraphKit

extension TextOverlay {
  public static let declaration = NodeDeclaration<TextOverlay>(
    "text", role: .effect, help: "Lays text over frames, such as titles and the time.",
    example: "camera -> text -> encoder",
    parameters: [
      .string(
        "text", \.text, required: true, live: true,
        help: "The text; {time}, {seconds}, {frame} and {date} stand for what they say."),
      .string("font", \.font, help: "The font's family."),
      .number("size", \.size, in: 4...500, unit: "px", help: "The font's size."),
      .bool("bold", \.bold, help: "Whether the letters are bold."),
      .bool("italic", \.italic, help: "Whether the letters are italic."),
      .string("color", \.color, help: "The letters' colour: rrggbb, or rrggbbaa."),
      .number("outline", \.outline, in: 0...50, unit: "px", help: "The width of the outline."),
      .string("outlineColor", \.outlineColor, help: "The outline's colour."),
      .integer(
        "shadow", \.shadow, in: 0...100, unit: "px",
        help: "How far a shadow falls to the right and down; 0 for none."),
      .string(
        "background", \.background, help: "The colour of a box behind the text; empty for none."),
      .choice("position", \.position, live: true, help: "Position of the text in the frame."),
      .integer(
        "margin", \.margin, in: 0...32_768, unit: "px", live: true,
        help: "What is free at the edges that the position names."),
    ] + offsets + [
      .choice(
        "align", \.align,
        help: "How lines lie below each other; left out, as the position has it."),
      .number(
        "opacity", \.opacity, in: 0...1, live: true,
        help: "How much of the text shows: from nothing (0) to all of it (1)."),
    ])
}
