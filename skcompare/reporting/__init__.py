"""From a plain summary to text, Markdown and LaTeX; computes nothing."""
