"""S.P.E.C.I.A.L. on the page."""
