"""Writes small Mach-O files, ad hoc signatures and apps for the tests of code signing."""
