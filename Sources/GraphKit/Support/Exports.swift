// What GraphKit's own interface is made of: who imports GraphKit needs no other import for it.
@_exported public import Containers
@_exported public import JSON
@_exported public import Media
