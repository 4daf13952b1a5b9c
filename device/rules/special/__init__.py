"""Rules of S.P.E.C.I.A.L., one module a chapter."""
