extension Start {
  /// A picture every few seconds.
  static let thumbnails = Start(
    name: "thumbnails", help: "Write a picture of a video every few seconds.",
    json: """
      {
        "description": [
          "Writes a picture of a video every few seconds, each into a file of its own.",
          "`{number}` is the number of the file: 00001, 00002 and so on.",
          "The ending of `output` says which kind: .jpg, .png or .webp."
        ],
        "parameters": { "input": null, "output": "thumbnail-{number}.jpg", "every": 10, "width": 320 },
        "nodes": {
          "source":   { "type": "file", "path": "${input}" },
          "pictures": { "type": "thumbnails", "path": "${output}", "every": "${every}", "width": "${width}" }
        },
        "wires": ["source.video -> pictures"]
      }
      """)

  /// Many pictures in one.
  static let sheet = Start(
    name: "contact-sheet", help: "Show a video at a glance, as pictures in rows.",
    json: """
      {
        "description": [
          "Shows a video at a glance: `count` pictures, evenly over its length, in `columns`.",
          "With `layout` sprite they come with the WebVTT file that web players read."
        ],
        "parameters": { "input": null, "output": "contact-sheet.jpg", "count": 20, "columns": 5 },
        "nodes": {
          "source": { "type": "file", "path": "${input}" },
          "sheet":  { "type": "thumbnails", "layout": "sheet", "path": "${output}",
                      "count": "${count}", "columns": "${columns}" }
        },
        "wires": ["source.video -> sheet"]
      }
      """)

  /// One picture.
  static let poster = Start(
    name: "poster", help: "Write the best picture of a video's beginning.",
    json: """
      {
        "description": [
          "Writes the sharpest frame of a video's first seconds as a picture.",
          "With `at` in place of `within` it is the frame at that time."
        ],
        "parameters": { "input": null, "output": "poster.jpg", "within": 10, "width": 1280 },
        "nodes": {
          "source": { "type": "file", "path": "${input}" },
          "poster": { "type": "poster", "path": "${output}", "within": "${within}", "width": "${width}" }
        },
        "wires": ["source.video -> poster"]
      }
      """)
}
