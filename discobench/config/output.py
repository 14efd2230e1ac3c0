"""Types of the keys that say how results are judged, shown and packed."""

from pydantic import Field

from discobench.config.strict import Place, Rate, Strict


class Report(Strict):
    title: str
    tolerance: dict[str, Rate] = Field(
        description="metric -> largest difference from the paper's value that counts as a match, on the scale of the "
        "metric; `default` is for those without their own, `ranking` for Table 11; `facts` (0 unless given) "
        "is for the sizes and settings of Tables 1, 2, 5, 6, 15 and 16, a share of the paper's value beside "
        "what its rounding may have taken",
    )
    trusted: list[str] = Field(
        default=[],
        description="metrics that the ledger calls not comparable and that are judged all the same, since what they "
        "are computed with or on (models, the suite of `ranking`) is known to be the paper's",
    )
    instead: dict[str, dict[str, str]] = Field(
        default={},
        description="task -> metric -> another reading of it, which takes its column and is held against the paper",
    )
    comparable: bool = Field(description="false where data or models are of another scale than the paper's")
    examples: int = Field(default=50, ge=0, description="test instances that a task's page of the leaderboard shows")


class Release(Strict):
    """What archives of data sets and models say of themselves."""

    version: str = Field(pattern=r"^[0-9A-Za-z][0-9A-Za-z.-]*$", description="part of the archive's name")
    archive: Place | None = Field(
        default=None, description="an archive of release_tasks whose texts rebuild_tasks takes from your own sources"
    )
