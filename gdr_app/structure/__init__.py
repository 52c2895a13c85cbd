"""What only the Structure page uses."""
