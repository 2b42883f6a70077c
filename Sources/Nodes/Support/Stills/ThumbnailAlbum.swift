import GraphKit

/// Writes the pictures of a video: each into a file, or many into one, with a WebVTT file beside.
struct ThumbnailAlbum: Sendable {
  /// The most pictures that are made.
  static let limit = 100_000

  /// How the pictures are put together.
  struct Settings: Sendable {
    /// The files.
    var names: ThumbnailNames
    /// The WebVTT file; `nil` for none.
    var vtt: String?
    /// Whether a file has several pictures.
    var isSheet: Bool
    /// Pictures side by side.
    var columns: Int
    /// Rows in a file; `nil` for all.
    var rows: Int?
    /// Pixels between pictures.
    var spacing: Int
    /// Pixels around all of them.
    var margin: Int
    /// The colour between them, red in the highest of three bytes.
    var background: UInt32
    /// How good the files are, from 0 to 100.
    var quality: Int
  }

  private let kind: StillImage
  private let settings: Settings
  private var sheet: PictureSheet
  private var captions = SpriteCaptions()
  /// Files that are written.
  private var files = 0
  /// Pictures that have come.
  private var count = 0

  /// An album of files of a kind.
  init(_ kind: StillImage, _ settings: Settings) {
    (self.kind, self.settings) = (kind, settings)
    sheet = PictureSheet(settings, kind)
  }

  /// Whether no picture has come.
  var isEmpty: Bool { count == 0 }

  /// Takes the next picture.
  mutating func add(_ picture: HeldFrame, at time: MediaTime) throws {
    guard count < Self.limit else {
      throw NodeError(
        "there are more than \(Self.limit) pictures", remedy: "give a greater `every`",
        key: "every")
    }
    count += 1
    guard settings.isSheet else { return try write(picture) }
    if let rows = settings.rows, sheet.count == rows * settings.columns { try writeSheet() }
    let place = try sheet.add(picture)
    if let vtt = settings.vtt {
      captions.add(settings.names[files + 1], at: place, from: time, seenFrom: vtt)
    }
  }

  /// Writes what is left, of a video that ends at a time.
  mutating func finish(at end: MediaTime) throws {
    if settings.isSheet { try writeSheet() }
    guard let path = settings.vtt else { return }
    var file = try WholeFile(path)
    try file.write(Array(captions.text(until: end).utf8))
    try file.complete()
  }

  private mutating func writeSheet() throws {
    let picture = try sheet.picture()
    sheet = PictureSheet(settings, kind)
    try write(picture)
  }

  private mutating func write(_ picture: HeldFrame) throws {
    files += 1
    try kind.write(picture, to: settings.names[files], quality: settings.quality)
  }
}

/// Pictures of one size, in rows.
struct PictureSheet: Sendable {
  private let settings: ThumbnailAlbum.Settings
  private let kind: StillImage
  private var pictures: [HeldFrame] = []
  private var cell = (width: 0, height: 0)

  init(_ settings: ThumbnailAlbum.Settings, _ kind: StillImage) {
    self.settings = settings
    self.kind = kind
    // Files of JPEG have chroma for two pixels at a time.
    spacing = (settings.spacing + 1) / 2 * 2
    margin = (settings.margin + 1) / 2 * 2
  }

  private let spacing: Int
  private let margin: Int

  /// How many pictures there are.
  var count: Int { pictures.count }

  /// Takes a picture; where in the sheet it is.
  mutating func add(_ picture: HeldFrame) throws(NodeError) -> PictureRect {
    if pictures.isEmpty, case .video(let video) = picture.sample.format.format {
      cell = (video.width, video.height)
    }
    pictures.append(picture)
    do { try kind.check(size) } catch {
      throw NodeError(
        "\(pictures.count) pictures of \(cell.width)x\(cell.height): \(error.message)",
        remedy: "give fewer or smaller pictures, or files with `{number}` and `rows`")
    }
    let place = place(of: pictures.count - 1)
    return PictureRect(x: place.x, y: place.y, width: cell.width, height: cell.height)
  }

  private func place(of number: Int) -> (x: Int, y: Int) {
    let (row, column) = number.quotientAndRemainder(dividingBy: settings.columns)
    return (
      margin + column * (cell.width + spacing), margin + row * (cell.height + spacing)
    )
  }

  /// As large as what it holds; a sheet of one row is no wider than that.
  private var size: (width: Int, height: Int) {
    let columns = min(settings.columns, pictures.count)
    let rows = (pictures.count + settings.columns - 1) / settings.columns
    return (
      2 * margin + columns * (cell.width + spacing) - spacing,
      2 * margin + rows * (cell.height + spacing) - spacing
    )
  }

  /// All of them as one picture.
  func picture() throws -> HeldFrame {
    guard let first = pictures.first, case .video(var video) = first.sample.format.format else {
      throw NodeError("a sheet without pictures", remedy: "look at what leads to the sink")
    }
    (video.width, video.height) = size
    let format = try FormatDescription(.video(video))
    var sheet = SampleBuffer(byteCount: video.frameSize, format: format)
    sheet.presentationTime = first.time
    let origin = place(of: 0)
    // The converter paints around the first picture what is between all of them.
    let ground = try PictureConverter(
      from: first.sample.format, to: format,
      place: PictureRect(x: origin.x, y: origin.y, width: cell.width, height: cell.height),
      border: 0xff00_0000 | settings.background)
    try ground.convert(first.sample, into: &sheet)
    do {
      var frame = try sheet.videoFrame()
      let whole = PictureRect(width: cell.width, height: cell.height)
      for (number, picture) in pictures.enumerated() {
        let place = place(of: number)
        try frame.copy(whole, of: picture.sample, x: place.x, y: place.y)
      }
    }
    return HeldFrame(sheet)
  }
}
