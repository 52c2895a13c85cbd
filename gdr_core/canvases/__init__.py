"""Canvases: pictures that answer to the hand, drawn in a browser by plain JavaScript.

They know nothing of who shows them: the app's components, a notebook and a page saved as a file use
the same code. `bundle` makes one string of modules; `library` is what several of them need, and
`mounts` is how data reach them.
"""
