"""What a result took of a language model."""

from dataclasses import dataclass, fields

from affidavit.core.jsonable import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(Result):
    """What was asked of a language model for one result; all zero where none took part.

    `model_calls` are calls that were answered or failed, with `retries` (the same call again after a failure) and
    `repairs` (a further call that names what was wrong with an answer) among them. `input_tokens` and `output_tokens`
    are as the provider counts; calls of which it does not say are counted in `uncounted`.
    """

    model_calls: int = 0
    retries: int = 0
    repairs: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    uncounted: int = 0

    def plus(self, other: "Cost") -> "Cost":
        """This and the other together.

        >>> Cost(model_calls=1).plus(Cost(model_calls=2)).model_calls
        3
        """
        names = [one.name for one in fields(self)]
        return Cost(**{name: getattr(self, name) + getattr(other, name) for name in names})
