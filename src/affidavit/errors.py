"""Every error that Affidavit raises.

    AffidavitError
    ├── InputError                 what the caller gave can't be taken; nothing was written
    │   ├── MessageError           a message's shape, role or content
    │   ├── DateError              a date that can't be read, or lies in the future
    │   ├── IdError                an id or name that is empty, too long or holds NUL or lone surrogates
    │   ├── LimitError             larger than a limit of `affidavit.core.limits`
    │   ├── FilterError            an unknown field or operator, or a value of the wrong type
    │   ├── ConfigError            a setting that can't be read or has no meaning
    │   ├── IdempotencyError       the same idempotency key with other content
    │   ├── ErasedError            the same source or key was erased and does not come back
    │   ├── NotBelievedError       an act upon a memory that holds no more, was retracted, or is in quarantine
    │   ├── RefusedError           a text that is no memory: a permission, a question, a doubt, a secret
    │   ├── AuthorityError         an act that needs more authority than the one who acts has
    │   └── FileFormatError        a file to import that can't be read as what it is said to be
    ├── NotFoundError              no such thing, or not readable by this caller: the two look alike
    ├── StoreError                 the database
    │   ├── StoreUnreadableError   damaged, or no database of ours
    │   │   └── StoreForeignError  a file that was never a store of ours
    │   ├── StoreNewerError        written by a newer Affidavit
    │   ├── StoreReadOnlyError     a write to a file, folder or handle that can only be read
    │   ├── StoreFullError         no room on the disk; nothing was lost
    │   ├── StoreBusyError         another process held the store for too long
    │   └── StorePlaceError        a place where no store can be (a folder, no permission, a network file system)
    ├── ConflictError              the space changed under an `expect`
    ├── KeyStoreError              the signing key
    │   ├── KeyLostError           heads are signed by a key that is not here
    │   └── KeyUnsafeError         a key file that others can read, or that is damaged
    └── ProviderError              a model or embedder
        ├── EmbedderError          it failed or answered nonsense
        ├── EmbedderMismatchError  the store's vectors were made by another embedder
        └── ModelError             a language model gave no answer that can be used
            ├── ModelBusyError     no answer in time, or not now; the same call may succeed later
            ├── ModelRefusedError  it would not answer (a policy, a filter)
            └── ModelReplyError    its answer is cut off, too long, or not what was asked for

Each carries `code` (stable, for programs), `what` (what happened and why) and `hint` (what to do).
"""

from typing import ClassVar


class AffidavitError(Exception):
    """Base of every error of ours.

    `what` says what happened and why, `hint` what to do about it; `code` is stable.

    >>> error = MessageError("role 'robot' is not known", hint="use one of user, assistant, system, tool")
    >>> error.code, str(error)
    ('message', "role 'robot' is not known: use one of user, assistant, system, tool")
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 3

    def __init__(self, what: str, *, hint: str = "") -> None:
        self.what = what
        self.hint = hint
        super().__init__(f"{what}: {hint}" if hint else what)

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments are lost by the default pickling of exceptions.
        return (_rebuild, (type(self), self.what, self.hint))

    def to_dict(self) -> dict[str, str]:
        """The error as JSON-ready text: `code`, `what`, `hint`."""
        return {"code": self.code, "what": self.what, "hint": self.hint}


def _rebuild(kind: type[AffidavitError], what: str, hint: str) -> AffidavitError:
    return kind(what, hint=hint)


class InputError(AffidavitError):
    """What the caller gave can't be taken; nothing was written."""

    code = "input"
    exit_code = 2


class MessageError(InputError):
    """A message's shape, role or content can't be taken."""

    code = "message"


class DateError(InputError):
    """A date that can't be read, or that lies in the future where it may not."""

    code = "date"


class IdError(InputError):
    """An id or name is empty, too long, or holds NUL or lone surrogates."""

    code = "id"


class LimitError(InputError):
    """Something is larger than the limit table allows."""

    code = "limit"


class FilterError(InputError):
    """A filter names an unknown field or operator, or a value of the wrong type."""

    code = "filter"


class ConfigError(InputError):
    """A setting can't be read or has no meaning."""

    code = "config"


class IdempotencyError(InputError):
    """An idempotency key came again with other content."""

    code = "idempotency"


class ErasedError(InputError):
    """The same source or idempotency key was erased before, and does not come back."""

    code = "erased"


class NotBelievedError(InputError):
    """The memory to act upon holds no more, was retracted, lost its evidence, or is in quarantine."""

    code = "not_believed"


class RefusedError(InputError):
    """The text can't be a memory: it permits something, asks, doubts, is somebody else's, or holds a secret."""

    code = "refused"


class AuthorityError(InputError):
    """What is asked needs more authority than the one who asks has in this space."""

    code = "authority"


class FileFormatError(InputError):
    """A file to import can't be read as what it is said to be."""

    code = "file_format"


class NotFoundError(AffidavitError):
    """No such thing, or not readable by this caller; the two can't be told apart."""

    code = "not_found"
    exit_code = 2


class StoreError(AffidavitError):
    """The database can't do what was asked."""

    code = "store"


class StoreUnreadableError(StoreError):
    """The file is not one of our databases, or is damaged."""

    code = "store_unreadable"


class StoreForeignError(StoreUnreadableError):
    """The file is something else than a store of ours; nothing in it was touched."""

    code = "store_foreign"


class StoreNewerError(StoreError):
    """The database was written by a newer Affidavit than this one."""

    code = "store_newer"


class StoreReadOnlyError(StoreError):
    """A write to a store that can only be read."""

    code = "store_read_only"


class StoreFullError(StoreError):
    """The disk has no room; what was acknowledged before is safe, this write did not happen."""

    code = "store_full"


class StoreBusyError(StoreError):
    """Another process held the store longer than we wait."""

    code = "store_busy"


class StorePlaceError(StoreError):
    """No store can be kept, or reached, in the place that was named; nothing was written."""

    code = "store_place"


class ConflictError(AffidavitError):
    """The space's head is not the one that was expected; nothing was written."""

    code = "conflict"


class KeyStoreError(AffidavitError):
    """The signing key can't be used."""

    code = "key"


class KeyLostError(KeyStoreError):
    """This store's heads are signed by a key that is not here; nothing was written."""

    code = "key_lost"


class KeyUnsafeError(KeyStoreError):
    """A key file can be read by others, or is damaged."""

    code = "key_unsafe"


class ProviderError(AffidavitError):
    """A model or embedder failed."""

    code = "provider"


class EmbedderError(ProviderError):
    """The embedder failed or answered nonsense."""

    code = "embedder"


class EmbedderMismatchError(ProviderError):
    """The store's vectors were made by another embedder than the one configured."""

    code = "embedder_mismatch"


class ModelError(ProviderError):
    """A language model gave no answer that can be used. `retries`: how many tries had come before the last."""

    code = "model"
    retries = 0


class ModelBusyError(ModelError):
    """No answer in time, or none just now (a limit, a fault of the server): the same call may succeed later.

    `after_s` is how long the server asks to be left alone, in seconds; None where it does not say.
    """

    code = "model_busy"

    def __init__(self, what: str, *, hint: str = "", after_s: float | None = None) -> None:
        super().__init__(what, hint=hint)
        self.after_s = after_s


class ModelRefusedError(ModelError):
    """The model, or a filter before it, would not answer."""

    code = "model_refused"


class ModelReplyError(ModelError):
    """The model's answer is cut off, too long, or not what was asked for, also after a repair."""

    code = "model_reply"
