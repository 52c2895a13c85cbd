"""A view as Python, where it rests on files of the visitor or on a training run."""
