"""A project on disk: its folder, its settings, where its input and output are."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pipeline.base.errors import InputError, SettingsError
from pipeline.base.ids import content_id
from pipeline.base.input_files import InputFiles
from pipeline.base.settings import SETTINGS_FILE, Settings, read_settings
from pipeline.base.storage.mirror import Mirror, is_remote
from pipeline.base.store import Generation, Store
from pipeline.base.tokens import Tokenizer, choose
from pipeline.language.transport.api_keys import read_env_file
from pipeline.resolution.corrections import Corrections
from pipeline.resolution.corrections_file import CORRECTIONS_FILE, read_corrections


@dataclass(frozen=True)
class Project:
    """A folder with settings.yaml in it; every path of the settings counts from there."""

    root: Path
    settings: Settings

    @staticmethod
    def open(root: Path) -> "Project":
        """Read the project at ``root``, and what keys its .env holds; SettingsError when there is none."""
        settings = read_settings(root / SETTINGS_FILE)
        read_env_file(root, settings)
        return Project(root, settings)

    def capped(self, caps: dict[str, float]) -> "Project":
        """Return the same project with these limits in place of those of its settings."""
        limits = self.settings.limits.model_copy(update=caps)
        return Project(self.root, self.settings.model_copy(update={"limits": limits}))

    def corrections(self) -> Corrections:
        """Return the corrections of names by hand; SettingsError for a file that cannot be used."""
        return read_corrections(self.root / CORRECTIONS_FILE)

    def tokenizer(self, last: Generation | None) -> tuple[Tokenizer, str]:
        """Return what counts tokens, by the settings and the last generation, and a sentence that says why; see ``choose``."""
        return choose(self.settings.chunks.tokenizer, last.manifest.tokenizer if last else None)

    @property
    def input(self) -> Path:
        """The folder of texts; of copies where the settings name an address."""
        if self.mirror is not None:
            return self.mirror.files
        return self._inside(self.settings.input.folder, "input.folder")

    def input_files(self, log: Callable[[str], None] = lambda line: None) -> InputFiles:
        """Return the input files; where the settings name an address, copies that are brought up to date now."""
        settings, unread = self.settings.input, []
        if self.mirror is not None:
            unread = self.mirror.fetch(settings, log)
        return InputFiles(self.input, settings, tuple(unread))

    def files_not_read(self) -> list[str]:
        """Return a line on the files of other kinds in the input folder; none where there are none, or nobody can look."""
        if self.mirror is not None:
            return []
        try:
            others = self.input_files().found.others
        except InputError:
            return []
        return [f"{others}, files of other kinds (input.patterns says which are read)"] if others else []

    @property
    def mirror(self) -> Mirror | None:
        """The copies of an input that is not on a local disk; None where it is."""
        address = self.settings.input.folder
        if not is_remote(address):
            return None
        return Mirror(
            address, self._inside(self.settings.output.folder, "output.folder") / "remote" / content_id(address)
        )

    @property
    def store(self) -> Store:
        """The output folder; SettingsError where it lies in the input folder."""
        folder = self._inside(self.settings.output.folder, "output.folder")
        if folder.is_relative_to(self.input):
            raise SettingsError(
                f"output.folder is {self.settings.output.folder!r}, which lies in the input folder",
                "what a run writes there, the next one would read as texts",
                "name a folder beside the input folder",
            )
        return Store(folder)

    def _inside(self, folder: str, key: str) -> Path:
        path = None if "\0" in folder else (self.root / folder).resolve()
        if path is None or path == self.root.resolve():
            raise SettingsError(f"{key} is {folder!r}", "it must be a folder of its own", "name a folder such as input")
        return path
