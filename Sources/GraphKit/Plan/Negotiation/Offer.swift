/// What an output gives.
struct Offer {
  /// The format, as far as it is known.
  var format: FormatConstraint
  /// Whether the node makes whatever the wire asks of it in the fields that are open. A decoder
  /// doesn't: what comes out is up to the stream. Nor does an effect, which hands on what it gets.
  var isPromised: Bool

  /// What passes to an input that wishes for `wish`; `nil` where something must be converted.
  func accepted(for wish: FormatConstraint) -> FormatConstraint? {
    guard let common = format.narrowed(by: wish) else { return nil }
    // Nothing converts encoded media, so what is open there is left to the run.
    if isPromised || common.kind.isEncoded { return common }
    let isSettled = FormatField.all.allSatisfy { $0.isOpen(wish) || $0.agrees(common, format) }
    return isSettled ? common : nil
  }

  /// What a converter has to make of this for `wish`: each field as it is where that will do,
  /// else the nearest or the best of those that will. Where a rate or a channel count isn't known,
  /// all that will do are left; so are sample formats where `keepsSamples`, so that none is rounded to another
  /// that will do as well.
  func converted(for wish: FormatConstraint, keepsSamples: Bool) -> FormatConstraint {
    var target = wish
    if target.kind == .any { target.kind = format.kind.decoded }
    let depth = format.integerDepth
    if let depth { target.keep(bits: depth) }
    for field in FormatField.all {
      if !field.narrow(format, &target) { field.approach(format, &target) }
      // Of what only the run shows, a converter takes the nearest there.
      let isLeftOpen =
        (field.isNearest || keepsSamples && field.isOfSamples) && field.isOpen(format)
      if !field.isOpen(wish), !isLeftOpen { field.fix(&target) }
    }
    target.bitDepth = nil
    if let depth, target.holds(bits: depth), depth > 16 || keepsFrames(in: target) {
      target.bitDepth = depth
    }
    return target
  }

  /// Whether a converter leaves the rate and the channels as they are: what it mixes or resamples is
  /// computed.
  private func keepsFrames(in target: FormatConstraint) -> Bool {
    target.sampleRates == format.sampleRates && target.channels == format.channels
  }

  /// A wish with the other sample formats of its port, where those hold what comes and the wish's, which are
  /// what follows would like best, don't.
  func widened(_ wish: FormatConstraint, to port: FormatConstraint?) -> FormatConstraint {
    guard let depth = format.integerDepth, let port, !wish.sampleFormats.isEmpty,
      !wish.sampleFormats.contains(where: { $0.exactBits >= depth }),
      port.sampleFormats.contains(where: { $0.exactBits >= depth })
    else { return wish }
    var wider = wish
    wider.sampleFormats = port.sampleFormats
    return wider
  }

  /// Whether what a converter makes holds each sample as it is, and rounds none.
  func isExact(in target: FormatConstraint) -> Bool {
    (format.integerDepth.map(target.holds) ?? false) && keepsFrames(in: target)
  }
}

extension FormatConstraint {
  /// How many bits its samples have that are integers, or were, where that is known.
  package var integerDepth: Int? {
    guard let format = sampleFormats.first else { return bitDepth }
    guard sampleFormats.count == 1 else { return nil }
    return format.isFloat
      ? bitDepth.map { min($0, format.exactBits) } : min(bitDepth ?? .max, format.exactBits)
  }

  /// Whether the first of its sample formats holds integers of so many bits exactly.
  fileprivate func holds(bits: Int) -> Bool { (sampleFormats.first?.exactBits ?? 0) >= bits }

  /// Prefers a sample format that holds integers of so many bits exactly, where the best of them doesn't:
  /// integers before floating-point numbers, small before large. Where none does, the one that holds most.
  fileprivate mutating func keep(bits: Int) {
    guard let first = sampleFormats.first, first.exactBits < bits else { return }
    let order: [SampleFormat] = [.s24, .s32, .f32, .f64]
    let exact = order.first { $0.exactBits >= bits && sampleFormats.contains($0) }
    let most = sampleFormats.max { $0.exactBits < $1.exactBits }
    if let chosen = exact ?? most { sampleFormats = [chosen] }
  }
}

extension PlanNode {
  /// What an output gives, where `wish` is asked of it and `arriving` is what its node gets.
  func offer(
    of port: PortDeclaration, wish: FormatConstraint?, arriving: [String: FormatConstraint]
  ) -> Offer {
    let own =
      leavesFormatToRun ? port.format : (wish.flatMap(port.format.narrowed) ?? port.format).fixed
    guard let following = Following(port, of: node, ports: ports) else {
      var format = port.format.kind == .any ? port.format : own
      if format.kind == .audio, !arriving.isEmpty { format.bitDepth = depth(leaving: arriving) }
      return Offer(format: format, isPromised: !leavesFormatToRun && port.format.kind != .any)
    }
    let input = arriving[following.input.name] ?? following.input.format
    var format = following.carried(input, own: own)
    if format.kind == .audio { format.bitDepth = depth(leaving: arriving) }
    return Offer(format: format, isPromised: false)
  }

  /// How many bits the samples have that leave, as far as those say that come: what is computed of more
  /// than 16 needs as many, and of fewer has no such steps any more.
  private func depth(leaving arriving: [String: FormatConstraint]) -> Int? {
    let audio = arriving.values.filter { $0.kind.decoded == .audio }
    let depths = audio.compactMap(\.integerDepth)
    guard depths.count == audio.count, let most = depths.max() else { return nil }
    let isHandedOn = node.traits.keepsSamples || type.role == .decoder
    return isHandedOn || most > 16 ? most : nil
  }

  /// Whether what comes out is up to the run: a decoder's or a file's stream decides, and in an
  /// element that GraphKit knows only by its name what comes in.
  var leavesFormatToRun: Bool {
    type.role == .decoder || node.fileStreams != nil || node.traits.leavesFormatToRun
      || (type.role == .general && ports.contains { $0.direction == .input })
  }
}
