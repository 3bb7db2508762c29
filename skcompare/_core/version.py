"""The version of the package, which saved files and stores carry too."""

__version__ = "0.2.0"
