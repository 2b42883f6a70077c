import ArgumentParser

@main
struct Graphctl: ParsableCommand {}
