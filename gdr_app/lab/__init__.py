"""The room of the Lab page: which graph is on the desk, and the words around it."""
