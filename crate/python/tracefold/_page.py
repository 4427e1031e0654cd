"""A folding in the page of Tracefold, for notebooks."""

import os
from html import escape
from importlib.resources import files


class Page:
    """What a notebook shows of ``Folding.show()``: the page with the folding in it, in a frame of its own.

    The frame may run the page's scripts and no more: it is of no origin, reaches no cookie, and asks for
    nothing.
    """

    def __init__(self, folding, height):
        self._link = folding.link(url="").partition("#")[2]
        self._title = f"{folding.region}, folded"
        self._height = int(height)

    def to_html(self):
        """The page as a document by itself, which opens from disk."""
        page = files("tracefold").joinpath("page.html")
        if not page.is_file():
            raise FileNotFoundError(
                "tracefold/page.html is not there: this package was built without the page; "
                "`make wheel` builds it with it"
            )
        # A link is of letters, digits and `-_&=`, none of which ends a block of data.
        block = f'<script type="application/json" id="tracefold-link">"{self._link}"</script>'
        # Its script runs once all of the page is there. The guide inside has an end of its own before.
        whole, end, rest = page.read_text(encoding="utf-8").rpartition("</body>")
        if not end:
            raise ValueError("tracefold/page.html is no page: found no </body> in it")
        return whole + block + end + rest

    def _repr_html_(self):
        url = os.environ.get("TRACEFOLD_URL")
        source = f'src="{escape(url)}#{escape(self._link)}"' if url else f'srcdoc="{escape(self.to_html())}"'
        return (
            f'<iframe title="{escape(self._title)}" sandbox="allow-scripts allow-downloads allow-popups" '
            f'style="width:100%;height:{self._height}px;border:0" {source}></iframe>'
        )

    def __repr__(self):
        return f"<tracefold: {self._title}; a notebook shows it>"
