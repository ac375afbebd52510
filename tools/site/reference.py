"""The API reference: every public name of every module, from its signature, its parameters' comments and its docstring."""

import ast
import html
import io
import re
import tokenize
from dataclasses import dataclass

from tools import book
from tools.site import stage


@dataclass(frozen=True)
class Parameter:
    """One parameter, or one field of a class."""

    name: str
    type: str
    default: str
    comment: str


def public(notebook: book.Notebook, known: stage.Book) -> list[stage.Definition]:
    """The public definitions of a notebook, in its order."""
    found = [definition for (module, name), definition in known.definitions.items() if module == notebook.module and not name.startswith("_")]
    return [definition for definition in found if not (notebook.module == "__init__" and definition.name == "main")]


def node_of(definition: stage.Definition) -> ast.AST:
    """The statement that defines a name."""
    for node in definition.cell.tree.body:
        names = [getattr(node, "name", None), *(getattr(target, "id", None) for target in getattr(node, "targets", [getattr(node, "target", None)]))]
        if definition.name in names:
            return node
    raise ValueError(f"{definition.cell.place}: no definition of {definition.name}")


def comments(source: str) -> dict[int, str]:
    """The comment of each line."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0]: stage.without_words_to_tools(token.string).lstrip("# ").strip() for token in tokens if token.type == tokenize.COMMENT}


def parameters(node: ast.FunctionDef, said: dict[int, str]) -> list[Parameter]:
    """The parameters of a function with the comments beside them."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = list(zip(positional, defaults, strict=True))
    pairs += [(argument, None) for argument in [arguments.vararg] if argument]
    pairs += list(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    pairs += [(argument, None) for argument in [arguments.kwarg] if argument]
    stars = {id(arguments.vararg): "*", id(arguments.kwarg): "**"}
    found = []
    for argument, default in pairs:
        if argument.arg in ("self", "cls"):
            continue
        last = max(argument.end_lineno or 0, getattr(default, "end_lineno", 0) or 0)
        kind = ast.unparse(argument.annotation) if argument.annotation else ""
        value = ast.unparse(default) if default is not None else ""
        found.append(Parameter(stars.get(id(argument), "") + argument.arg, kind, value, said.get(last, "")))
    return found


def fields(node: ast.ClassDef, said: dict[int, str]) -> list[Parameter]:
    """The annotated fields of a class."""
    found = []
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and not getattr(item.target, "id", "_").startswith("_"):
            value = ast.unparse(item.value) if item.value else ""
            found.append(Parameter(item.target.id, ast.unparse(item.annotation), value, said.get(item.end_lineno or 0, "")))
    return found


def inline(text: str, known: stage.Book) -> str:
    """Words of a docstring as HTML, with names of equations as links."""
    escaped = html.escape(text, quote=False)
    escaped = re.sub(r"`([^`]+)`", lambda match: linked_code(match[1], known), escaped)
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", escaped)


def linked_code(code: str, known: stage.Book) -> str:
    """Code in a docstring; the name of an equation or of a definition becomes a link."""
    equation = known.equations.get(code)
    if equation:
        return f'<a href="{equation.href}">equation {equation.number}</a>'
    name = code.removesuffix("()")
    module = next((module for module, defined in known.definitions if defined == name and not name.startswith("_")), None)
    return f'<a href="#{module}.{name}"><code>{code}</code></a>' if module else f"<code>{code}</code>"


def docstring(node: ast.AST, known: stage.Book) -> str:
    """A docstring as HTML: paragraphs, its `- Source: …` lines as a list, and its examples as code."""
    text = ast.get_docstring(node) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ""
    parts = []
    for block in re.split(r"\n\s*\n", text or ""):
        if block.lstrip().startswith("- "):
            items = re.split(r"\n?^- ", block, flags=re.M)[1:]
            said = (re.sub(r"^(\w+):", r"**\1:**", " ".join(item.split())) for item in items)
            parts.append("<ul>" + "".join(f"<li>{inline(item, known)}</li>" for item in said) + "</ul>")
        elif block.startswith(">>> "):
            parts.append(f'<pre class="wraps" tabindex="0"><code>{html.escape(block, quote=False)}</code></pre>')
        elif block.strip():
            parts.append(f"<p>{inline(' '.join(block.split()), known)}</p>")
    return "".join(parts)


def code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>" if text else ""


def parameter_table(rows: list[Parameter], known: stage.Book, heading: str) -> str:
    """Parameters or fields, one a line, as a list that reads on a phone too."""
    if not rows:
        return ""
    items = []
    for row in rows:
        kind = f' <span class="type">{code(row.type)}</span>' if row.type else ""
        default = f' <span class="default">= {code(row.default)}</span>' if row.default else ""
        items.append(f"<dt>{code(row.name)}{kind}{default}</dt><dd>{inline(row.comment, known)}</dd>")
    return f'<p class="parts">{heading}</p><dl class="parameters">{"".join(items)}</dl>'


def call(node: ast.FunctionDef, name: str) -> str:
    """How a function is called: names and defaults; the types stand below."""
    arguments = node.args
    plain = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args] if argument.arg not in ("self", "cls")]
    values = [None] * (len(plain) - len(arguments.defaults)) + [ast.unparse(value) for value in arguments.defaults]
    parts = [n if v is None else f"{n}={v}" for n, v in zip(plain, values[-len(plain) :] if plain else [], strict=True)]
    if arguments.vararg:
        parts.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        parts.append("*")
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    parts += [argument.arg if value is None else f"{argument.arg}={ast.unparse(value)}" for argument, value in named]
    parts += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    return f"{name}({', '.join(parts)})"


def returned(node: ast.FunctionDef, said: dict[int, str], known: stage.Book) -> str:
    """What a function returns, with the comment beside it."""
    if node.returns is None or ast.unparse(node.returns) == "None":
        return ""
    comment = said.get(node.returns.end_lineno or 0, "")
    kind = f'<span class="type">{code(ast.unparse(node.returns))}</span>'
    return f'<p class="parts">Returns</p><dl class="parameters"><dt>{kind}</dt><dd>{inline(comment, known)}</dd></dl>'


def methods(node: ast.ClassDef, said: dict[int, str], known: stage.Book) -> str:
    """The public methods and properties of a class, one paragraph each."""
    items = []
    for item in node.body:
        if not isinstance(item, ast.FunctionDef) or item.name.startswith("_"):
            continue
        is_property = any("property" in ast.unparse(found) for found in item.decorator_list)
        title = item.name if is_property else call(item, item.name)
        summary = (ast.get_docstring(item) or "").split("\n\n")[0]
        comment = said.get(getattr(item.returns, "end_lineno", 0) or 0, "")
        told = " ".join(" ".join(part.split()) for part in (summary, comment and f"Gives: {comment}.") if part)
        items.append(f"<dt>{code(title)}</dt><dd>{inline(told, known)}</dd>")
    return f'<p class="parts">Methods and properties</p><dl class="parameters">{"".join(items)}</dl>' if items else ""


def entry(definition: stage.Definition, known: stage.Book) -> str:
    """One name: how it is called, what it is, its parameters, and where the book tells it."""
    node = node_of(definition)
    said = comments(stage_source(definition.cell))
    name, module = definition.name, definition.module
    if isinstance(node, ast.FunctionDef):
        title, kind = call(node, name), "function"
        body = docstring(node, known) + parameter_table(parameters(node, said), known, "Parameters") + returned(node, said, known)
    elif isinstance(node, ast.ClassDef):
        title, kind = name, "class"
        constructor = next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"), None)
        rows = parameters(constructor, said) if constructor else fields(node, said)
        body = docstring(node, known) + parameter_table(rows, known, "Parameters" if constructor else "Fields") + methods(node, said, known)
    else:
        value = ast.unparse(node.value) if getattr(node, "value", None) is not None else ""
        title, kind = name, "value"
        body = f"<p>{code(value)}</p>" if value and len(value) <= 160 else ""
    told = [f'<a href="{definition.page}.html#{definition.section_id}">{html.escape(stage.plain(definition.section))}</a>' if definition.section_id else ""]
    told.append(f'<a href="{definition.href}">source</a>')
    links = " · ".join(part for part in told if part)
    return (
        f'<section class="api" id="{module}.{name}"><h3 class="no-anchor"><span class="kind">{kind}</span> <code>{html.escape(title)}</code></h3>'
        f'{body}<p class="told">{links}</p></section>'
    )


def stage_source(cell: book.Cell) -> str:
    """The source whose line numbers the cell's tree has."""
    return cell.python


def module_name(module: str) -> str:
    """`bleu_lit.brevity`, or `bleu_lit` for the package itself."""
    return "bleu_lit" if module == "__init__" else f"bleu_lit.{module.removesuffix('.__init__')}"


def front_door(known: stage.Book) -> str:
    """The names that `import bleu_lit` gives, in one line each."""
    cell = next(definition.cell for (module, name), definition in known.definitions.items() if (module, name) == ("__init__", "__all__"))
    rows = []
    for name in sorted(ast.literal_eval(cell.tree.body[0].value), key=str.lower):
        definition = next((found for (_, defined), found in known.definitions.items() if defined == name), None)
        if definition:
            node = node_of(definition)
            text = ast.get_docstring(node) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else comments(stage_source(definition.cell)).get(1 + 1, "")
            summary = inline(" ".join((text or "").split("\n\n")[0].split()), known)
            rows.append(f'<dt><a href="#{definition.module}.{name}"><code>{name}</code></a></dt><dd>{summary}</dd>')
    return "\n\n".join(["## import bleu_lit {#front-door}", stage.raw(f'<dl class="parameters front-door">{"".join(rows)}</dl>')])


def markdown(known: stage.Book) -> str:
    """The whole reference: an index of names, then the modules from the ground up."""
    notebooks = [notebook for notebook in known.notebooks if notebook.module and public(notebook, known)]
    names = sorted((definition.name, definition.module) for notebook in notebooks for definition in public(notebook, known))
    index = " ".join(f'<a href="#{module}.{name}"><code>{name}</code></a>' for name, module in names)
    every = f'<details class="names"><summary>All {len(names)} names, in the order of the alphabet</summary><p>{index}</p></details>'
    parts = [front_door(known), stage.raw(every)]
    for notebook in notebooks:
        title, purpose = stage.title_and_purpose(notebook)
        title = module_name(notebook.module).replace("_", r"\_")  # Pandoc takes a bare `__main__` for emphasis, and then sees no anchor
        parts.append(f"## {title} {{#module-{notebook.module.strip('_')}}}")
        parts.append(f"{purpose} Notebook: [{title}]({stage.page_name(notebook.name)}.qmd).")
        parts += [stage.raw(entry(definition, known)) for definition in public(notebook, known)]
    return "\n\n".join(parts)
