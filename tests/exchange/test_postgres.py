"""The export for PostgreSQL: every row of every table, typed columns, and text that can break no statement."""

import csv
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.base.schema import EMBEDDINGS, TABLES
from pipeline.exchange import postgres
from pipeline.exchange.postgres import export_postgres, schema
from pipeline.runner.run import run_index
from tests.corpora import project

NASTY = 'A "quoted" name, with a comma; and \\. alone.\nAda Thorne said: {"a", NULL}. Ada Thorne built the mole of Carrow.\n'


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("postgres")
    made = project(folder / "project", {"one.txt": NASTY, "two.txt": "Edmund Vane married Ada Thorne in 1882.\n"})
    run_index(made)
    found = export_postgres(made.store.open(), folder / "out")
    assert found.counts["documents"] == 2
    return folder


def read(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / "out" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_row_of_every_table_is_there_and_is_loaded_in_one_transaction(exported: Path) -> None:
    load = (exported / "out" / "load.sql").read_text()
    assert load.index("BEGIN;") < load.index("\\copy") < load.index("COMMIT;")
    from pipeline.base.store import Store

    generation = Store(exported / "project" / "output").open()
    for name, entry in generation.manifest.tables.items():
        assert len(read(exported, name)) == entry.rows
        assert f"\\copy \"{name}\" FROM '{name}.csv'" in load


def test_texts_come_back_as_they_are_and_lists_as_arrays(exported: Path) -> None:
    texts = {row["source"]: row["text"] for row in read(exported, "documents")}
    assert texts["one.txt"].strip() == NASTY.strip()
    raw = (exported / "out" / "entities.csv").read_text(encoding="utf-8")
    assert re.search(r'"\{""[0-9a-f]{20}""', raw)


@pytest.fixture
def server() -> Iterator[Path]:
    """The folder of the socket of a PostgreSQL server with an empty database."""
    if missing := [name for name in ("initdb", "pg_ctl", "psql") if not shutil.which(name)]:
        pytest.skip(f"PostgreSQL is not here: {', '.join(missing)}")
    if os.geteuid() == 0 and "postgres" not in {user.pw_name for user in pwd.getpwall()}:
        pytest.skip("PostgreSQL runs as no root, and there is no user postgres")
    folder = Path(
        tempfile.mkdtemp(prefix="postgres-")
    )  # the path of a socket must be short, and another user's to enter
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    _as_postgres("initdb", "-D", folder / "data", "-A", "trust", "-U", "tester", "--no-sync")
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    _as_postgres("pg_ctl", "-D", folder / "data", "-o", options, "-l", folder / "log", "-w", "start")
    yield folder
    _as_postgres("pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")
    shutil.rmtree(folder)


def _as_postgres(*words: str | Path) -> None:
    user = "postgres" if os.geteuid() == 0 else None
    done = subprocess.run(words, user=user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0, done.stderr


def test_a_postgresql_server_loads_every_row_of_every_table(exported: Path, server: Path) -> None:
    psql = ["psql", "-h", str(server), "-U", "tester", "-d", "postgres", "-q", "-At"]
    subprocess.run([*psql, "-f", "load.sql"], cwd=exported / "out", check=True)
    for path in sorted((exported / "out").glob("*.csv")):
        asked = subprocess.run(
            [*psql, "-c", f'SELECT count(*) FROM "{path.stem}"'], check=True, capture_output=True, text=True
        )
        assert int(asked.stdout) == len(read(exported, path.stem)), path.stem
    text = subprocess.run(
        [*psql, "-c", "SELECT text FROM documents WHERE source = 'one.txt'"], check=True, capture_output=True, text=True
    )
    assert text.stdout.strip() == NASTY.strip()


def test_null_is_an_empty_field_and_an_empty_text_a_quoted_one() -> None:
    assert postgres._field(None, False) == ""
    assert postgres._field("", False) == '""'
    assert postgres._field(["a\\b", 'c"d', None], False) == '"{""a\\\\b"",""c\\""d"",NULL}"'
    assert postgres._field([0.5, 1.0], True) == '"[0.5,1.0]"'


def test_a_vector_column_has_the_size_of_the_vectors_and_names_are_quoted() -> None:
    made = schema([EMBEDDINGS], 384)
    assert '"vector" vector(384)' in made
    assert "CREATE EXTENSION IF NOT EXISTS vector;" in made
    assert '"table" text' in made
    assert "CREATE EXTENSION" not in schema(list(TABLES.values()), 0)
