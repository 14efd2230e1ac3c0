"""What all configuration types share: how strict they are, and their words for numbers and names."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Language = Literal["zh", "en"]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(gt=0)]
Seed = Annotated[int, Field(gt=0, lt=2**32)]
Place = Annotated[str, Field(min_length=1)]
Weight = Annotated[float, Field(gt=0, le=1)]
Rate = Annotated[float, Field(gt=0)]
Price = Annotated[float, Field(ge=0)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$")]


class Strict(BaseModel):
    """Unknown keys are errors, values are not coerced from strings."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)
