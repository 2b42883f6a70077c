/// The channels that audio may have where an `audioconvert` has made it, and how that mixes others.
///
/// The element's own way (GStreamer 1.22) puts low-frequency effects into the other speakers, as loud as
/// those in front.
public struct ChannelTargets: Hashable, Sendable {
  /// The numbers of channels, the best first; empty for any.
  public let counts: [Int]
  /// The speakers of so many channels, where only those will do.
  public let speakers: [Int: [Speakers]]
  /// Whether samples stay as they are where only the speakers aren't those that will do, as for an encoder
  /// that has no others.
  public var keepsSamples = false
  /// The order in which so many channels leave, where an encoder wants another: the first is the one of the
  /// first number.
  public var orders: [Int: [Int]] = [:]

  /// So many channels, the best first, for whatever speakers there are.
  public init(_ counts: [Int]) {
    self.counts = counts
    speakers = [:]
  }

  /// Channels for these speakers and no others, besides mono and stereo.
  public init(_ layouts: [Speakers]) {
    counts = [1, 2] + layouts.map(\.count)
    speakers = Dictionary(grouping: layouts, by: \.count)
  }

  /// The caps of what is made, for a filter; `nil` where all will do.
  public var capsText: String? {
    guard !speakers.isEmpty else { return nil }
    let placed = counts.flatMap { count in
      (speakers[count] ?? []).map {
        ", channels=(int)\(count), channel-mask=(bitmask)\($0.capsText)"
      }
    }
    let plain = counts.filter { speakers[$0] == nil }.map { ", channels=(int)\($0)" }
    return (plain + placed).map { "audio/x-raw\($0)" }.joined(separator: "; ")
  }

  /// The layout that channels for some speakers become: the smallest that has a channel for each of them;
  /// without one, the nearest in number.
  private func layout(for speakers: Speakers) -> Speakers? {
    let layouts = self.speakers.values.joined().sorted { $0.count < $1.count }
    let holder = layouts.first { ChannelMix(from: speakers, to: $0).keepsChannels }
    return holder ?? layouts.min { abs($0.count - speakers.count) < abs($1.count - speakers.count) }
  }

  /// How the channels of a format become those that are made; `nil` where that isn't known.
  func mix(_ format: AudioFormat) -> ChannelMix? {
    let count = count(nearest: format.channels)
    let isKept = keepsSamples && (count ?? format.channels) == format.channels
    guard !isKept, let count, let target = target(format, count) else {
      return ordered(ChannelMix(keeping: format.channels))
    }
    guard !format.speakers.isEmpty, !target.isEmpty else {
      return count == format.channels ? ChannelMix(keeping: count) : nil
    }
    return ordered(ChannelMix(from: format.speakers, to: target))
  }

  /// Whether the element's own way will do: mono, stereo, and channels that stay what they are.
  func isOwnWay(_ format: AudioFormat) -> Bool {
    let count = count(nearest: format.channels) ?? format.channels
    return max(count, format.channels) <= 2 || speakers.isEmpty && count == format.channels
  }

  private func count(nearest channels: Int) -> Int? {
    counts.min { abs($0 - channels) < abs($1 - channels) }
  }

  /// The layout that channels get; `nil` for the one that they have.
  private func target(_ format: AudioFormat, _ count: Int) -> Speakers? {
    guard count > 2 || speakers[count] != nil else { return .usual(count) }
    guard speakers.isEmpty else { return layout(for: format.speakers) }
    return count == format.channels ? nil : .usual(count)
  }

  private func ordered(_ mix: ChannelMix) -> ChannelMix {
    orders[mix.factors.count].map(mix.reordered) ?? mix
  }
}
