extension MediaTime {
  var clock: UInt64? { nanoseconds.flatMap { UInt64(exactly: $0) } }
}
