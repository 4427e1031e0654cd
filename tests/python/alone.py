"""The package with nothing beside it: alone.py TRACE"""

import sys

import tracefold

trace = tracefold.open(sys.argv[1])
folding = trace.fold()
assert trace.regions().to_csv().startswith(b"region,alias,group,instances,")
assert folding.curves().to_csv().startswith(b"region,group,counter,x,fitted,")
assert folding.svg().startswith("<svg ")
assert folding.show()._repr_html_().startswith("<iframe ")
