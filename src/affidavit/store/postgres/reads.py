"""Reads that are put another way here, so that what most calls begin with costs one way to the server and not two."""

from typing import Final

from affidavit.core.values import Head, Owner
from affidavit.store.postgres.connections import SPACES, PostgresConnection
from affidavit.store.sql.reads import SqlReads, head_of

_FIND: Final = (
    "SELECT id, kind, name, size, root, frontier, note,"
    f" set_config('{SPACES}', concat_ws(',', nullif(current_setting('{SPACES}', true), ''), id), true)"
    " FROM space WHERE kind = ? AND name = ?"
)


class PostgresReads(SqlReads):
    """`affidavit.store.protocol.Reads` over a connection to PostgreSQL."""

    conn: PostgresConnection

    def find_space(self, owner: Owner) -> Head | None:
        """See `affidavit.store.protocol.Reads.find_space`. What is asked next is asked of this space: it is named."""
        row = self.conn.execute(_FIND, (str(owner.kind), owner.name)).fetchone()
        if row is None:
            return None
        self.conn.was_named(row[0])
        return head_of(row[:-1])
