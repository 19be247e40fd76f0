"""Odd and hostile archives: a writer with every header byte under control, and the named cases."""

from . import (carried_fields, carried_layout, carried_names, makers, refused_members,
               refused_structure)
from .base import CASES, made

for _part in (carried_layout, carried_fields, carried_names, makers, refused_structure,
              refused_members):
    _part.register()

__all__ = ["CASES", "made"]
