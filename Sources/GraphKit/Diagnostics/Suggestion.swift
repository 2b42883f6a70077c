/// The candidate that a mistyped word most likely stands for; `nil` where none is near.
///
/// Near is a third of the word's letters changed, added, left out or swapped, and at least one; else
/// the only candidate that begins with the word.
func closest(to word: String, among candidates: [String]) -> String? {
  let letters = Array(word.lowercased().unicodeScalars.prefix(maximumLength + 1))
  guard letters.count <= maximumLength else { return nil }
  let limit = max(1, letters.count / 3)
  var best: (candidate: String, distance: Int)?
  for candidate in candidates.prefix(maximumCandidates) where candidate != word {
    let other = Array(candidate.lowercased().unicodeScalars)
    guard abs(other.count - letters.count) <= limit else { continue }
    let distance = editDistance(letters, other)
    if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.candidate ?? completion(of: letters, among: candidates)
}

/// The only candidate that begins with a word of at least three letters.
private func completion(of letters: [Unicode.Scalar], among candidates: [String]) -> String? {
  guard letters.count >= 3 else { return nil }
  let longer = candidates.prefix(maximumCandidates).filter {
    $0.lowercased().unicodeScalars.starts(with: letters) && $0.unicodeScalars.count > letters.count
  }
  return longer.count == 1 ? longer[0] : nil
}

// Bounds that no honest file meets, so that a hostile one can't make the search long.
private let maximumLength = 64
private let maximumCandidates = 4000

/// How many letters are to be changed, added, left out or swapped with their neighbour.
func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for row in 0..<a.count {
    var current = [row + 1]
    for column in 0..<b.count {
      let change = last[column] + (a[row] == b[column] ? 0 : 1)
      var distance = min(change, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
        distance = min(distance, beforeLast[column - 1] + 1)
      }
      current.append(distance)
    }
    (beforeLast, last) = (last, current)
  }
  return last[b.count]
}
