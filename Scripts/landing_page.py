"""The landing page of the combined site, made from the page of the module Sockeye. Used by build-docs.py.

`docc merge` makes a page that only lists the products, in alphabetical order and without descriptions. This one has the
introduction, the first example and the picture of the module's page, and lists articles and products by their purpose.
"""

# Headings of the landing page, and the pages below each, by their addresses.
GROUPS = (
    ("Start here", ("sockeye/gettingstarted", "sockeye/recipes", "sockeye/jobs", "sockeye/migration")),
    ("The client", ("sockeye", "sockeyetransfers", "sockeyestreams")),
    ("Formats of content", ("sockeyexml", "sockeyeimages", "sockeyepropertylists", "sockeyefoundation")),
    ("Long-lived connections and stored responses", ("sockeyewebsocket", "sockeyecache", "sockeyediskcache")),
    ("Services in production", (
        "sockeyeobservability", "sockeyeservice", "sockeyedns", "sockeyediagnostics", "sockeyearchiving",
        "sockeye/deployment")),
    ("Tests of your own code", ("sockeyetesting",)),
    ("Reasons and promises", ("sockeye/design", "sockeye/security", "sockeye/stability")),
)


def address(path):
    """Returns the address of a page of GROUPS, which is also its key among the pages."""
    return f"/documentation/{path}"


def reference(page, url):
    """Returns the entry by which other pages refer to a page: its title, its abstract and its address."""
    return {
        "identifier": page["identifier"]["url"], "type": "topic", "url": url, "kind": page["kind"],
        "role": page["metadata"].get("role", "article"), "title": page["metadata"]["title"],
        "abstract": page.get("abstract", []),
    }


def landing_page(merged, pages):
    """Returns the page that `docc merge` made, with the module's introduction and the groups of pages instead of its
    cards."""
    module = pages[address("sockeye")]
    references = dict(module["references"])
    sections = []
    for title, paths in GROUPS:
        listed = [reference(pages[address(path)], address(path)) for path in paths]
        references |= {one["identifier"]: one for one in listed}
        sections.append({"title": title, "identifiers": [one["identifier"] for one in listed], "anchor": title.replace(" ", "-")})
    return merged | {
        "abstract": module["abstract"], "primaryContentSections": module["primaryContentSections"],
        "topicSections": sections, "topicSectionsStyle": "list", "references": references,
    }


def missing_products(products):
    """Returns the products that no group of the landing page lists."""
    listed = {path for _, paths in GROUPS for path in paths}
    return [product for product in products if product.lower() not in listed]
