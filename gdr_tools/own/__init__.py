"""A visitor's own data between the app and its workers: reading, drawing, the project file."""
