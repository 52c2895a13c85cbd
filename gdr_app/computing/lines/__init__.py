"""What a view needs as Python beside the lines of its method: own data, and training runs."""
