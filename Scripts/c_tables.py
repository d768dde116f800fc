"""Writes constant tables as C, for Swift to read in place (`ConstantTable`).

A table in C needs no code at start-up and almost no time to compile. The same array as a Swift literal is
type-checked element by element and copied to the heap on first use.
"""
import textwrap

WIDTH = 118


def array(name, element, values, comment):
    """Returns an array of numbers, or of structures for tuples of numbers, and its `sockeye_table`."""
    items = ["{" + ",".join(map(str, value)) + "}" if isinstance(value, tuple) else str(value) for value in values]
    body = textwrap.fill(", ".join(items), WIDTH, break_on_hyphens=False)
    return f"// {comment}\nstatic const {element} {name}_elements[] = {{\n{body}\n}};\n" + table(name)


def text(name, words, comment):
    """Returns words with one space between them, and their `sockeye_table`."""
    lines = textwrap.wrap(" ".join(words), WIDTH - 3, break_on_hyphens=False, break_long_words=False)
    body = "\n".join(f'"{line} "' for line in lines[:-1]) + f'\n"{lines[-1]}"'
    # Without the NUL that ends a C string.
    return f"// {comment}\nstatic const char {name}_elements[] =\n{body};\n" + table(name, "sizeof {0} - 1")


def table(name, count="sizeof {0} / sizeof *{0}"):
    elements = f"{name}_elements"
    return f"const sockeye_table {name} = {{\n{elements}, {count.format(elements)}}};\n"


def write(path, header, tables):
    with open(path, "w", encoding="ascii") as file:
        file.write(header + '\n#include "CSockeyeData.h"\n\n' + "\n".join(tables))
    print(f"{path}: {len(tables)} tables")
