"""The commands and their options; what they do is in the modules that they import when they run."""

import sys
import traceback
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import typer

from pipeline import __version__
from pipeline.base.errors import GraphstrataError, PlanError
from pipeline.cli import options
from pipeline.cli.command_order import InOrderOfUse
from pipeline.cli.evaluating.eval_options import eval_app
from pipeline.cli.fixes import copyable, in_shell
from pipeline.cli.names_options import names_app
from pipeline.cli.options import Json, Root
from pipeline.cli.terminal import CLEAR, StoppedBySignal, print_safely, stop_on_signals
from pipeline.cli.tuning_options import prompts_app, tune

EXIT_CODES = """
Exit codes: 0 done, 1 unexpected, 2 settings or usage, 3 input, 4 a table did not fit, 5 output folder, 6 model, 7 a cap
on cost, calls or minutes was reached, 8 partial (some items failed; run again to retry them), 9 question,
10 verify found faults, 11 no engine, 129, 130 or 143 stopped by SIGHUP, Ctrl-C or SIGTERM, 141 the reader of its output
closed the pipe.
"""
PIPE_CLOSED = 128 + 13
"""What SIGPIPE would end the process with: what was still to be written or done is not."""

app = typer.Typer(
    name="graphstrata",
    cls=InOrderOfUse,
    help="A folder of texts into Parquet tables, and answers that can be followed to a span of a file.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

debug = False


CacheAction = Literal["stats", "explain", "prune"]
ImportKind = Literal["microsoft", "lightrag", "graph"]
ExportKind = Literal["graphml", "html", "neo4j", "json", "microsoft", "postgres", "obsidian", "turtle", "jsonld"]
ShowView = Literal["tables", "stats", "entity", "community", "chunk", "duplicates", "failures"]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"graphstrata {__version__}")
        raise typer.Exit


@app.callback()
def common(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Options of every command."""
    globals()["debug"] = debug


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(help="Folder of the project.")] = Path(),
    print_only: Annotated[bool, typer.Option("--print", help="Print the settings instead of writing them.")] = False,
) -> None:
    """Write settings.yaml, every setting with its help. An existing one is never overwritten."""
    from pipeline.cli.commands.index_command import init_project

    init_project(folder, print_only)


@app.command()
def index(
    root: Root = Path(),
    json: Json = False,
    estimate: Annotated[
        bool,
        typer.Option("--estimate", help="Print calls, tokens and money per stage; no call is made, no key needed."),
    ] = False,
    max_cost: options.MaxCost = None,
    max_calls: options.MaxCalls = None,
    max_minutes: Annotated[
        float | None, typer.Option("--max-minutes", min=0, help="Stop after so many minutes.")
    ] = None,
    fresh_communities: Annotated[
        bool, typer.Option("--fresh-communities", help="Find communities anew instead of keeping the last partition.")
    ] = False,
    forget: Annotated[
        bool,
        typer.Option(
            "--forget", help="Also delete cached replies and older generations, so that nothing removed remains."
        ),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on: index again whenever the input changes, until Ctrl-C.")
    ] = False,
    log_file: Annotated[Path | None, typer.Option("--log-file", help="Also write what is reported to a file.")] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say in the end what was done, and the rows of every table.")
    ] = False,
) -> None:
    """Bring the tables up to date with the texts. Only what changed is done again."""
    if estimate:
        from pipeline.cli.commands.estimate_command import estimate_project

        estimate_project(root, json)
    else:
        from pipeline.cli.commands.index_command import IndexOptions, index_project

        caps = options.caps(max_cost=max_cost, max_calls=max_calls, max_minutes=max_minutes)
        chosen = IndexOptions(json, fresh_communities, forget, caps, log_file, verbose)
        if watch:
            from pipeline.cli.commands.watch import watch_project

            watch_project(root, lambda: index_project(root, chosen))
        else:
            index_project(root, chosen)


@app.command()
def doctor(
    root: Root = Path(),
    json: Json = False,
    online: Annotated[
        bool, typer.Option("--online", help="Also make one small call per ability of each model.")
    ] = False,
) -> None:
    """Examine settings, folders, keys, index and models."""
    from pipeline.cli.commands.doctor import examine

    examine(root, json, online)


@app.command()
def verify(
    path: Annotated[Path | None, typer.Argument(help="Folder of an index, ours or Microsoft GraphRAG's.")] = None,
    root: Root = Path(),
    json: Json = False,
) -> None:
    """Check all that an index promises, with counts and examples."""
    from pipeline.cli.commands.exchange_commands import verify_index

    verify_index(root, path, json)


@app.command("import")
def import_(
    kind: Annotated[ImportKind, typer.Argument(help="Whose index it is.")],
    folder: Annotated[
        Path, typer.Argument(help="Its output or working folder; for graph, a GraphML file or a folder of CSV.")
    ],
    root: Root = Path(),
) -> None:
    """Take over another program's index, or a graph of your own. What it holds is kept."""
    from pipeline.cli.commands.exchange_commands import import_index

    import_index(root, kind, folder)


@app.command()
def cypher(
    query: Annotated[str, typer.Argument(help="The query, such as: MATCH (e:Entity) RETURN e.title LIMIT 5.")] = "",
    schema: Annotated[bool, typer.Option("--schema", help="Print labels, properties and relationships.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most rows.")] = 1_000,
    seconds: Annotated[float, typer.Option("--seconds", min=0.001, help="Stop after so many seconds.")] = 30.0,
    root: Root = Path(),
    json: Json = False,
) -> None:
    """Answer a query in Cypher over the index as a graph. Nothing is changed (extra "cypher")."""
    if schema:
        from pipeline.graph.cypher.database import schema as schema_of_graph

        typer.echo(schema_of_graph())
    else:
        from pipeline.cli.commands.cypher_command import print_rows

        print_rows(root, query, limit, seconds, json)


@app.command()
def export(
    kind: Annotated[ExportKind, typer.Argument(help="What to write.")],
    folder: Annotated[Path, typer.Argument(help="Folder to write it into; for html the file.")],
    root: Root = Path(),
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that holds files already.")] = False,
) -> None:
    """Write the index for other programs, or as one page to send."""
    from pipeline.cli.commands.exchange_commands import export_index

    export_index(root, kind, folder, force)


@app.command("load-neo4j")
def load_neo4j(
    uri: Annotated[str, typer.Argument(help="Address of the server, such as bolt://localhost:7687.")],
    user: Annotated[str, typer.Option("--user", help="User name.")] = "neo4j",
    password_env: Annotated[
        str, typer.Option("--password-env", help="Environment variable with the password.")
    ] = "NEO4J_PASSWORD",
    database: Annotated[str, typer.Option("--database", help="Database.")] = "neo4j",
    root: Root = Path(),
) -> None:
    """Load the index into a Neo4j server (extra "neo4j"). Doing it again changes nothing."""
    from pipeline.cli.commands.exchange_commands import load_neo4j as load

    load(root, uri, user, password_env, database)


@app.command()
def cache(
    action: Annotated[CacheAction, typer.Argument(help="stats, explain TASK ITEM, or prune.")],
    task: Annotated[str, typer.Argument(help="Task, for explain.")] = "",
    item: Annotated[str, typer.Argument(help="Row that it was asked about, for explain.")] = "",
    root: Root = Path(),
    json: Json = False,
) -> None:
    """Look at the cached replies of models. ``explain`` says what shaped one, ``prune`` removes those that nothing uses."""
    from pipeline.cli.commands.cache_command import look

    look(root, action, task, item, json)


@app.command()
def query(
    method: options.MethodArgument = None,
    question: Annotated[str | None, typer.Argument(help="The question; may be left out with --chat.")] = None,
    root: options.Roots = None,
    json: Json = False,
    explain: options.Explain = False,
    stream: options.Stream = None,
    chat: options.Chat = False,
    language: options.Language = None,
    length: options.AnswerLength = "normal",
    level: options.Level = None,
    effort: options.EffortOption = None,
    form: options.Form = None,
    where: options.Where = None,
    passages: options.Passages = False,
    without_model: options.WithoutModel = False,
    method_option: options.MethodOption = None,
    question_option: options.QuestionOption = None,
) -> None:
    """Answer a question, with sources down to characters of a file."""
    from pipeline.cli.asking.answer_printers import Shape
    from pipeline.cli.asking.query_command import ask

    shape = Shape(json, explain, stream, language, length, level, effort, form, where, passages, without_model)
    said = [one for one in (method_option, method, question, question_option) if one is not None]
    if len(said) > 2:
        raise typer.BadParameter(f"{len(said)} words where a method and a question are expected: quote the question.")
    first, second = [*said, None, None][:2]
    ask(root or [Path()], *options.method_and_question(first, second, chat), shape, chat)


@app.command()
def chat(
    method: options.MethodArgument = None,
    root: options.Roots = None,
    json: Json = False,
    explain: options.Explain = False,
    stream: options.Stream = None,
    language: options.Language = None,
    length: options.AnswerLength = "normal",
    where: options.Where = None,
    without_model: options.WithoutModel = False,
) -> None:
    """Ask in a conversation. Each question may lean on those before it; the same as query --chat."""
    from pipeline.cli.asking.answer_printers import Shape
    from pipeline.cli.asking.query_command import ask

    shape = Shape(json, explain, stream, language, length, where=where, without_model=without_model)
    ask(root or [Path()], options.method_and_question(method, None, chat=True)[0], None, shape, chat=True)


@app.command("ask-me")
def ask_me(
    root: Root = Path(),
    count: Annotated[int, typer.Option("--count", min=1, max=50, help="Questions at most.")] = 6,
    json: Json = False,
) -> None:
    """Suggest questions to ask. They come from the largest themes and from what these leave open."""
    from pipeline.cli.asking.ask_me import suggest

    suggest(root, count, json)


@app.command()
def show(
    what: Annotated[ShowView, typer.Argument(help="What to look at.")],
    name: Annotated[str, typer.Argument(help="Entity title, community number, chunk id, or file.")] = "",
    root: Root = Path(),
    json: Json = False,
) -> None:
    """Look at tables, counts, an entity, a community, duplicates ..."""
    from pipeline.cli.commands.show import show_index

    show_index(root, what, name, json)


app.add_typer(eval_app)
app.add_typer(prompts_app)
app.command()(tune)
app.add_typer(names_app)


@app.command()
def serve(
    folders: options.Served = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any that is free.")] = 8741,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; from other machines a token is needed.")
    ] = "127.0.0.1",
    token: Annotated[
        str | None, typer.Option("--token", help="Token that requests need; or set GRAPHSTRATA_TOKEN.")
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    root: options.ServedRoots = None,
) -> None:
    """Show the index in a browser, and serve a JSON API. It listens on this machine alone, unless --host names another address."""
    from pipeline.cli.commands.serve import serve_projects

    serve_projects([*(folders or []), *(root or [])], host, port, token, open_browser)


@app.command()
def mcp(
    folders: options.Served = None,
    root: options.ServedRoots = None,
) -> None:
    """Let an assistant read the index: MCP over stdio (extra "mcp")."""
    from pipeline.web.mcp.serving import run_stdio

    run_stdio([*(folders or []), *(root or [])] or [Path()])


@app.command()
def status(root: Root = Path(), json: Json = False) -> None:
    """Show what is published, and what the next run would do."""
    from pipeline.cli.commands.index_command import print_status

    print_status(root, json)


@app.command()
def rollback(
    number: Annotated[
        int | None, typer.Argument(help="Generation to publish again; by default the one before the published one.")
    ] = None,
    root: Root = Path(),
    json: Json = False,
) -> None:
    """Publish an older generation again. The next run goes on from there."""
    from pipeline.cli.commands.rollback import roll_back

    roll_back(root, number, json)


def run() -> None:
    """Run the command and end the process with its exit code."""
    print_safely("--json" in sys.argv)
    stop_on_signals()
    warnings.showwarning = _print_warning
    try:
        _check_own_packages()
        app()
    except GraphstrataError as error:
        _print_error(error)
        sys.exit(error.exit_code)
    except StoppedBySignal as stopped:
        typer.echo(
            f"{CLEAR if sys.stderr.isatty() else chr(10)}{stopped}: {_what_is_kept(sys.argv[1:])}{_notes(stopped)}",
            err=True,
        )
        sys.exit(stopped.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(PIPE_CLOSED)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # which the parser of the command line ends with 1
            sys.exit(PIPE_CLOSED)
        raise
    except Exception as error:  # noqa: BLE001  the last resort: a person gets three lines, a developer --debug
        _print_error(_unexpected(error))
        sys.exit(1)


def _print_error(error: GraphstrataError) -> None:
    """Write an error for a person, behind its traceback where ``--debug`` is given; what looks like a key is masked."""
    from pipeline.language.transport.api_keys import redact

    shown = three_lines(error)
    shown = copyable(shown, sys.argv[1:])
    if debug:
        shown = f"{traceback.format_exc()}\n{shown}"
    sys.stderr.write(redact(shown) + "\n")


def _print_warning(message: Warning | str, *about: object, **more: object) -> None:
    """Write a warning as one line, without the place in the program, which says nothing to whoever runs the command."""
    typer.echo(f"note: {message}", err=True)


def _what_is_kept(arguments: list[str]) -> str:
    """Return what a command that was stopped leaves, and how to go on."""
    kept = "finished replies are cached, the last published index is unchanged"
    again = in_shell(*arguments)
    return f"{kept}\ngo on with: {again}" if "index" in arguments else kept


def _notes(error: BaseException) -> str:
    """Return what was noted on an error on its way here, such as what the run that it ended has spent; a line each."""
    return "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))


def _unexpected(error: Exception) -> GraphstrataError:
    return GraphstrataError(
        f"unexpected {type(error).__name__}: {error}",
        f"this is a fault of graphstrata; the last published index is unchanged{_notes(error)}",
        "run the same with --debug before the command and report what it prints",
    )


def three_lines(error: GraphstrataError) -> str:
    """Return an error as a person reads it: cause, consequence, fix."""
    parts = [("error", error.found), ("why", error.why), ("fix", error.fix)]
    return "\n".join(f"{name + ':':7}{text}" for name, text in parts if text)


def _check_own_packages() -> None:
    """Refuse to run with another distribution's top-level package ``workflows``."""
    spec = find_spec("workflows")
    own = Path(__file__).resolve().parents[2] / "workflows"
    found = Path(spec.origin).resolve().parent if spec and spec.origin else None
    if found != own:
        raise PlanError(
            f"the package 'workflows' that Python finds is {found}",
            f"graphstrata needs its own at {own}; another distribution installs one of the same name",
            "install graphstrata in an environment of its own",
        )
