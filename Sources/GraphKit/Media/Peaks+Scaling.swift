extension Peaks {
  /// Some of the points.
  public subscript(points: Range<Int>) -> Peaks {
    let range = points.clamped(to: 0..<count)
    let width = format.valuesPerPoint
    return Peaks(
      format, values: Array(values[range.lowerBound * width..<range.upperBound * width]))
  }

  /// The points of a coarser zoom, each of at least as many samples as one here.
  ///
  /// A point here counts wholly for the coarser one in which it ends, so for lengths that are no
  /// multiples borders lie up to one point too early: that is audiowaveform's rule. The last point
  /// stands for what is left.
  public func rescaled(toSamplesPerPixel samples: Int) -> Peaks {
    let old = format.samplesPerPixel
    guard samples > old, old > 0 else { return self }
    var result = Peaks(format)
    result.format.samplesPerPixel = samples
    var (point, start) = (1, 0)
    while start < count {
      let (product, isHuge) = point.multipliedReportingOverflow(by: samples)
      let end = isHuge ? count : min(count, product / old)
      result.append(merging: start..<end, of: self)
      (start, point) = (end, point + 1)
    }
    return result
  }

  /// So many points, at most as many as there are, that together stand for the same audio.
  public func reduced(toPoints points: Int) -> Peaks {
    guard points < count, points > 0 else { return self }
    var result = Peaks(format)
    let samples = Double(format.samplesPerPixel) * Double(count) / Double(points)
    result.format.samplesPerPixel = Int(min(samples, Double(Int32.max)))
    for point in 0..<points {
      result.append(merging: point * count / points..<(point + 1) * count / points, of: self)
    }
    return result
  }

  /// Appends one point that says of some others what a single one of their length would have said;
  /// for `rms` and `mean` only if each of them stands for as many samples.
  private mutating func append(merging points: Range<Int>, of other: Peaks) {
    for channel in 0..<format.channels {
      let (low, high) = other.merged(points, channel: channel)
      values.append(low)
      values.append(high)
    }
  }

  private func merged(_ points: Range<Int>, channel: Int) -> (low: Int16, high: Int16) {
    switch format.reduction {
    case .minMax, .peak:
      return points.reduce((low: Int16.max, high: Int16.min)) { bounds, point in
        let (low, high) = (low(point, channel: channel), high(point, channel: channel))
        return (min(bounds.low, low), max(bounds.high, high))
      }
    case .rms:
      let squares = points.reduce(0.0) { sum, point in
        let value = Double(high(point, channel: channel))
        return sum + value * value
      }
      return mirrored((squares / Double(points.count)).squareRoot())
    case .mean:
      let sum = points.reduce(0) { $0 + Int(high($1, channel: channel)) }
      return mirrored(Double(sum) / Double(points.count))
    }
  }

  private func mirrored(_ magnitude: Double) -> (low: Int16, high: Int16) {
    let value = Int16(clamping: Int(magnitude.rounded()))
    return (-value, value)
  }
}
