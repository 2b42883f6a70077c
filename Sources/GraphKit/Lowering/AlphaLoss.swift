import GStreamer
import GraphKitSystem

/// Transparency that a conversion leaves out which the planner has put in.
extension RunContext {
  /// Warns once where one of the first frames that pass a pad isn't opaque.
  func warnOfAlphaLoss(at pad: Pad, _ loss: AlphaLoss) {
    let layout = Monitor(AlphaLayout?.none)
    pad.guardFormat { _, caps in
      layout.withLock { $0 = AlphaLayout(caps) }
      return true
    }
    pad.replaceBuffers { [log] buffer in
      guard let alpha = layout.withLock({ $0.takeLook() }) else { return buffer }
      let frame = SampleBuffer(entering: buffer.share(), format: alpha.format, origin: 0)
      if frame.withBytes({ alpha.isOpaque($0) }) { return buffer }
      // It is said once.
      layout.withLock { $0 = nil }
      log.send(.warning(node: loss.node, message: loss.text))
      return buffer
    }
  }
}

/// Which node's input has no room for transparency.
struct AlphaLoss {
  let node: String
  private let taken: FormatConstraint
  private let keepsIt: Bool

  /// What the conversion at a wire's end leaves out; `nil` where nothing of this kind.
  init?(behind wire: PlanWire, in plan: Plan) {
    guard plan[wire.to.node]?.isInserted == true, wire.format.kind == .video,
      let next = plan.outputs(of: wire.to.node).first, !next.format.pixelFormats.isEmpty,
      !next.format.pixelFormats.contains(where: \.hasAlpha)
    else { return nil }
    (node, taken) = (next.to.node, next.format)
    let ports = plan[next.to.node]?.ports ?? []
    let input = ports.first { $0.name == next.to.port && $0.direction == .input }
    keepsIt = input?.format.pixelFormats.contains(where: \.hasAlpha) ?? false
  }

  var text: String {
    let formats = taken.pixelFormats.map(\.spoken).joined(separator: " or ")
    return "it gets \(formats), so the video's transparency is left out"
      + (keepsIt ? "; a `videoConvert` with the `pixelFormat` rgba before it keeps that" : "")
  }
}

/// Where the frames of a format have their transparency.
struct AlphaLayout {
  let format: FormatDescription
  /// Which byte of four it is; `nil` where it isn't looked at.
  private let byte: Int?
  /// How many frames are looked at: it takes as long as a simple effect.
  fileprivate var looksLeft = 25

  /// `nil` for a format without.
  init?(_ caps: Caps) {
    guard let name = CapsStructure.all(in: caps.description)?.first?.text("format"),
      name.contains("A"), !name.hasPrefix("GRAY"), !name.contains("PALETTED")
    else { return nil }
    format = FormatDescription(caps: caps)
    byte = ["RGBA": 3, "BGRA": 3, "ARGB": 0, "ABGR": 0][name]
  }

  /// Whether a frame has no transparency, where it is looked at.
  func isOpaque(_ bytes: Span<UInt8>) -> Bool {
    guard let byte else { return false }
    return stride(from: byte, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
  }
}

extension AlphaLayout? {
  /// What a frame is looked at by; `nil` where it isn't.
  fileprivate mutating func takeLook() -> AlphaLayout? {
    guard var layout = self, layout.looksLeft > 0 else { return nil }
    layout.looksLeft -= 1
    self = layout
    return layout
  }
}

extension PixelFormat {
  fileprivate var hasAlpha: Bool { self == .rgba || self == .bgra }
}
