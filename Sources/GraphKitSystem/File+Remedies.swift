import Glibc

extension File.Failure {
  /// Whether there is no room for more.
  package var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

  /// The same of a reason in the system's words.
  package static func isFull(_ reason: String) -> Bool {
    [diskFull, overQuota, tooLarge].contains { $0.text == reason }
  }

  /// What to do where a file can't be written for this reason.
  package var writingRemedy: String { Self.writingRemedy(for: text) }

  /// What to do where the system gives a reason, in its words, not to write a file.
  package static func writingRemedy(for reason: String) -> String {
    switch reason {
    case tooLarge.text:
      "raise the limit of files' sizes (`ulimit -f`), or write to a disk that takes larger ones"
    case diskFull.text, overQuota.text:
      "make room on the disk, or give a path on one with more"
    case readOnly.text:
      "the disk can't be written any more, often after an error of its own: look at what the system "
        + "says of it (`dmesg`), or give a path on another"
    case of(EIO).text:
      "look at what the system says of the disk (`dmesg`), or give a path on another"
    default:
      "look at what has the name and at the disk, or give another path"
    }
  }
}
