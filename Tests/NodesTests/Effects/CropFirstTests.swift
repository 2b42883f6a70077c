import GraphKit
import Nodes
import TestTools
import Testing

@Suite("Crops come before colours", .inTurn) struct CropFirstTests {
  @Test(
    "where what is left has an even size, also of pictures whose size shows later",
    arguments: [
      (#""aspectRatio": "3:4""#, true), (#""aspectRatio": "1:40""#, false),
      (#""width": 400, "height": 300"#, true), (#""width": 401, "height": 300"#, false),
      (#""width": 400"#, false),
    ])
  func order(crop: String, isFirst: Bool) throws {
    let plan = try plan(
      """
      { "nodes": { "in": { "type": "gst", "element": "videotestsrc" },
          "look": { "type": "sepia" }, "crop": { "type": "crop", \(crop) },
          "out": { "type": "nullSink" } },
        "wires": ["in -> look -> crop -> out"] }
      """)
    let (from, to) = isFirst ? ("crop", "look") : ("look", "crop")
    #expect(plan.wires.contains { $0.from.node == from && $0.to.node == to })
  }

  @Test(
    "and what comes out is the same", arguments: [PixelFormat.i420, .nv12, .bgra], ["3:4", "4:1"])
  func likeness(_ layout: PixelFormat, shape: String) throws {
    let crop = Crop.with { $0.aspectRatio = shape }
    #expect(crop.traits.crop == .evenSize)
    let look = ColorChain([NodeMember("look", NodeType(Sepia.self), Sepia())])
    for (width, height) in [(32, 33), (97, 61)] {
      let picture = RawPicture.noise(layout, width, height)
      let changed = try look.output(of: crop.output(of: picture))
      #expect(try crop.output(of: look.output(of: picture)) == changed)
    }
  }
}
