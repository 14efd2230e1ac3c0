"""Prompt templates: ``resources/prompts/<task>.yaml``, after Table 18 of the paper in words of our own.

Those of the suite of cohesion lie in ``resources/prompts/diagnostic``. An API gives no probabilities
there: it is asked for a confidence (MRC) or for the number of the best candidate (NT, TC).
"""

from collections.abc import Mapping
from pathlib import Path
from string import Formatter

from pydantic import BaseModel, ConfigDict, PositiveInt

from discobench.config.load import read_as
from discobench.errors import DiscoError
from discobench.files import fingerprint

FOLDER = Path(__file__).parents[2] / "resources" / "prompts"


class Prompt(BaseModel):
    """What is asked of a model for one record.

    ``version`` is raised when the words change; ``max_tokens`` bounds the answer. ``template`` names
    the task's ``fields`` in braces.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    version: PositiveInt
    instruction: str
    template: str
    max_tokens: PositiveInt

    @property
    def digest(self) -> str:
        """Eight hex digits of its words: two prompts of one version are told apart."""
        return fingerprint([self.instruction, self.template])[:8]

    def render(self, fields: Mapping[str, str]) -> str:
        """The whole question; raises DiscoError for a field that the task does not offer."""
        wanted = [name for _, name, _, _ in Formatter().parse(self.template) if name is not None]
        odd = [name for name in wanted if name not in fields]
        if odd:
            offered = ", ".join(sorted(fields))
            raise DiscoError(f"a prompt template names the field {odd[0]!r}; the task offers {offered}: use these.")
        return f"{self.instruction.strip()}\n\n{self.template.strip().format_map(fields)}"


def path_of(task: str) -> Path:
    """Where the prompt of a task lies, or of ``diagnostic/<task>``."""
    return FOLDER / f"{task}.yaml"


def read(path: Path) -> Prompt:
    """Read a prompt; raises DiscoError that names the file and the first fault."""
    if not path.exists():
        raise DiscoError(f"{path} is missing; a row of an API needs the task's prompt: write one after its neighbours.")
    return read_as(Prompt, path)
