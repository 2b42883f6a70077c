/// A command that decides itself what INT, TERM and HUP do.
protocol TakesSignals {}
