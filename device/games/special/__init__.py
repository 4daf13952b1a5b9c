"""A table of S.P.E.C.I.A.L.: characters, fights, skills in play."""
