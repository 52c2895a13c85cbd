"""Beyond the paper: what diffusion reaches today, beside what a user would pick instead."""
