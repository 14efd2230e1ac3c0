"""Say what the run will take, and beside it what the jobs that are done have taken."""

from pathlib import Path
from typing import Any

from discobench.config.load import parse
from discobench.config.selection import Selection
from discobench.files import write_text
from discobench.operations.actual import actual
from discobench.operations.forecast import Forecast, Site
from discobench.operations.rates import read_rates
from discobench.operations.sizes import Sizes
from discobench.operations.tables import forecast_text
from discobench.report.paper import read_csv
from scripts.job import job


def main(files: Any, results: Path, params: Any) -> str:
    run, rates = Selection(parse(params.config, "configuration")), read_rates(files.rates)
    sizes = Sizes(run, rates, read_csv(files.paper), results)
    spent = actual(Path(params.times), Path(params.logs))
    return forecast_text(run, Forecast(run, rates, sizes, Site(**params.place)), spent)


if __name__ == "__main__":
    with job(globals()) as j:
        text = main(j.input, j.output.forecast.parents[1], j.params)
        write_text(j.output.forecast, text)
        j.say(text)
