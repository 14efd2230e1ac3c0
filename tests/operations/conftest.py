"""What tests of forecasts share: the rates of the repository, and the paper's run."""

import pytest

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.operations.rates import Rates, read_rates
from tests.conftest import ROOT


@pytest.fixture(scope="session")
def rates() -> Rates:
    return read_rates(ROOT / "resources/forecast.yaml")


@pytest.fixture(scope="session")
def paper() -> Selection:
    return Selection(resolve({}, ROOT))
