"""What every message of the engine is made of."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Sent(BaseModel):
    """A table that is sent; it may get more keys in later versions."""

    model_config = ConfigDict(extra="allow", frozen=True, allow_inf_nan=False)
