import GStreamer
import GraphKitSystem

/// What a node wants done to the samples at one of its ports.
struct FilterRow: Sendable {
  let filters: [PadFilter]
  /// The node that the run's failure names.
  let node: String
  let context: RunContext

  /// Has the filters work on what passes a pad, each on what the one before it has made.
  func attach(to pad: Pad) {
    for filter in filters {
      switch filter {
      case .bounded(let limit): pad.boundSamples(to: limit)
      case .completedColors: pad.completeColors()
      case .completedRate: pad.completeRate()
      case .completedFieldOrder: pad.completeFieldOrder()
      case .gatheredTags: pad.gatherTags()
      case .withoutTags: pad.dropTags()
      case .hiddenPictures: pad.hidePictures()
      case .shownPictures: pad.showPictures()
      case .tags(let note):
        pad.onTags { event in
          guard case .tags(let texts, let pictures) = event.kind else { return }
          let tags = StreamTags(texts, pictures, ofFile: event.areTagsOfFile)
          context.warnOfPictures(in: tags, at: node)
          note(tags)
        }
      case .mixed(let made): mix(pad, to: made)
      case .checked(let error): check(pad, error)
      case .steady(let error): refuseChanges(of: pad, error)
      case .samples(let body): change(at: pad, FilterFunction(body: body))
      case .stream(let make): change(at: pad, make())
      case .beginnings(let make): pad.demandBeginnings(where: make())
      }
    }
  }

  private func fail(_ error: NodeError) {
    context.fail(PipelineFailure(node: node, error))
  }

  /// Mixes the channels that come, and fails the run where they can't be converted: GStreamer would refuse
  /// the format at another node, or crash.
  private func mix(_ pad: Pad, to made: ChannelTargets) {
    let isSet = Monitor(false)
    pad.guardFormat { pad, caps in
      guard let format = AudioFormat(channelsOf: caps.description) else { return true }
      let wanted = FormatConstraint.audio(channels: made.counts)
      let given = FormatConstraint(.audio(format))
      if !format.isPlaced, let problem = given.conversionProblem(to: wanted) {
        fail(problem)
        return false
      }
      // Once it has factors, the element wants those of all that comes.
      let wasSet = isSet.withLock { $0 }
      guard wasSet || !made.isOwnWay(format), let mix = made.mix(format) else { return true }
      if !wasSet { pad.openChannels() }
      isSet.withLock { $0 = true }
      pad.setMix(mix.factors)
      return true
    }
  }

  private func check(_ pad: Pad, _ error: @escaping @Sendable (MediaFormat) -> NodeError?) {
    pad.guardFormat { _, caps in
      guard let error = error(MediaFormat(capsText: caps.description)) else { return true }
      fail(error)
      return false
    }
  }

  /// Fails the run where the format changes after the first samples to one that isn't taken.
  private func refuseChanges(
    of pad: Pad, _ error: @escaping @Sendable (FormatChange) -> NodeError?
  ) {
    let place = Monitor<UInt64?>(nil)
    let first = Monitor<MediaFormat?>(nil)
    pad.replaceBuffers { buffer in
      let end = buffer.presentationTime.map { $0 + (buffer.duration ?? 0) }
      place.withLock { $0 = end ?? $0 }
      return buffer
    }
    pad.guardFormat { _, caps in
      let new = MediaFormat(capsText: caps.description)
      guard let end = place.withLock({ $0 }), let old = first.withLock({ $0 }), old != new,
        let error = error(FormatChange(old: old, new: new, time: MediaTime(clock: end)))
      else {
        first.withLock { $0 = new }
        return true
      }
      fail(error)
      return false
    }
  }

  /// Has a node's own filter change each sample, or leave it out.
  private func change(at pad: Pad, _ filter: any StreamFilter) {
    // A pad that appears while its element starts may have its format already.
    let format = Monitor(pad.currentCaps.map(context.description))
    let state = Monitor(filter)
    pad.guardFormat { _, caps in
      let new = context.description(of: caps)
      format.withLock { $0 = new }
      return true
    }
    pad.replaceBuffers { buffer in
      guard let format = format.withLock({ $0 }) else { return buffer }
      var sample = SampleBuffer(entering: buffer, format: format, origin: 0)
      do throws(NodeError) {
        let passes = try state.withLock { filter throws(NodeError) in try filter.pass(&sample) }
        return passes ? sample.intoBuffer() : nil
      } catch {
        fail(error)
        return nil
      }
    }
  }
}

/// A node's own function as a filter that remembers nothing.
private struct FilterFunction: StreamFilter {
  let body: @Sendable (inout SampleBuffer) throws -> Void

  func pass(_ sample: inout SampleBuffer) throws(NodeError) -> Bool {
    do { try body(&sample) } catch {
      throw error as? NodeError ?? NodeError("\(error)", remedy: "")
    }
    return true
  }
}

extension AudioFormat {
  /// The channels of raw audio by its caps, however its samples are stored; `nil` where they are for
  /// speakers that GraphKit has no names for, with which the converter itself knows what to do.
  fileprivate init?(channelsOf capsText: String) {
    guard let caps = CapsStructure.all(in: capsText)?.first, caps.name == "audio/x-raw",
      let channels = caps.size("channels")
    else { return nil }
    let mask = caps.text("channel-mask").flatMap { UInt64($0.dropFirst(2), radix: 16) } ?? 0
    guard let speakers = Speakers(capsMask: mask) else { return nil }
    self.init(.f32, sampleRate: 48_000, channels: channels, speakers: speakers)
  }

  /// Whether it is said of so many channels which speakers they are for, so that they can be mixed.
  fileprivate var isPlaced: Bool { channels > 8 && !speakers.isEmpty }
}
