import GStreamer
import System

/// What element nodes want done to the samples at their ports.
extension Lowerer {
  /// Has filters work on what passes a pad of a node, each on what the one before it has made.
  func attach(_ filters: [PadFilter], to pad: Pad, of node: PlanNode) {
    for filter in filters {
      switch filter {
      case .bounded(let limit): pad.boundSamples(to: limit)
      case .completedColors: pad.completeColors()
      case .convertible(let made): refuseOtherChannels(of: pad, node, than: made)
      case .timedOpusPackets: pad.timeOpusPackets()
      case .samples(let body): change(at: pad, node, body)
      }
    }
  }

  /// Fails the run where audio comes whose channels can't be converted: GStreamer would refuse the
  /// format at another node, or crash.
  private func refuseOtherChannels(of pad: Pad, _ node: PlanNode, than made: FormatConstraint) {
    let context = context
    // People know an inserted converter by the node that it is for.
    let name = node.isInserted ? plan.outputs(of: node.name).first?.to.node : nil
    pad.guardFormat { caps in
      let text = caps.description
      guard let problem = FormatConstraint.unplaced(capsText: text)?.conversionProblem(to: made)
      else { return true }
      context.fail(
        PipelineFailure(
          node: name ?? node.name, message: problem.message, remedy: problem.remedy))
      return false
    }
  }

  /// Has a node's own function change each sample.
  private func change(
    at pad: Pad, _ node: PlanNode, _ body: @escaping @Sendable (inout SampleBuffer) throws -> Void
  ) {
    let (context, name) = (context, node.name)
    let format = Monitor<FormatDescription?>(nil)
    pad.guardFormat { caps in
      let text = caps.description
      format.withLock { $0 = try? FormatDescription(capsText: text) }
      return true
    }
    pad.replaceBuffers { buffer in
      guard let format = format.withLock({ $0 }) else { return buffer }
      var sample = SampleBuffer(entering: buffer, format: format, origin: 0)
      do { try body(&sample) } catch {
        let known = error as? NodeError
        context.fail(
          PipelineFailure(
            node: name, message: known?.message ?? "\(error)", remedy: known?.remedy ?? ""))
        return nil
      }
      return sample.intoBuffer()
    }
  }
}

extension FormatConstraint {
  /// The audio of caps; `nil` where they say of so many channels which speakers they are.
  fileprivate static func unplaced(capsText: String) -> FormatConstraint? {
    guard let caps = CapsStructure.all(in: capsText)?.first,
      case .audio(let format) = MediaFormat(capsText: capsText)
    else { return nil }
    let mask = caps.text("channel-mask") ?? "0x0"
    let isPlaced = (9...63).contains(format.channels) && mask.contains { !"0x".contains($0) }
    return isPlaced ? nil : FormatConstraint(.audio(format))
  }
}
