"""A folding in the page of Tracefold, for notebooks."""

from html import escape
from importlib.resources import files


class Page:
    """What a notebook shows of ``Folding.show()``: the page with the folding in it, in a frame of its own.

    The frame may run the page's scripts and no more: it is of no origin, reaches no cookie, and asks for
    nothing. Where ``TRACEFOLD_URL`` names a page on a server, the frame is that page, with the origin of its
    server: without one it could not load its parts.
    """

    def __init__(self, folding, height):
        self._link = folding.link()
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
        block = f'<script type="application/json" id="tracefold-link">"{self._link.partition("#")[2]}"</script>'
        # Its script runs once all of the page is there. The guide inside has an end of its own before.
        whole, end, rest = page.read_text(encoding="utf-8").rpartition("</body>")
        if not end:
            raise ValueError("tracefold/page.html is no page: found no </body> in it")
        return whole + block + end + rest

    def _repr_html_(self):
        if self._link.startswith("#"):
            source = f'sandbox="allow-scripts allow-downloads allow-popups" srcdoc="{escape(self.to_html())}"'
        else:
            source = f'src="{escape(self._link)}"'
        return (
            f'<iframe title="{escape(self._title)}" '
            f'style="width:100%;height:{self._height}px;border:0" {source}></iframe>'
        )

    def __repr__(self):
        return f"<tracefold: {self._title}; a notebook shows it>"
