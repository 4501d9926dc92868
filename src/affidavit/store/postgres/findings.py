"""What `affidavit doctor` says of a database: the server, the role, whether the second belt holds, the schema."""

from typing import Any, Final

from affidavit.store.migrations import migrations
from affidavit.store.postgres.connections import SCHEMA, PostgresConnection
from affidavit.store.postgres.shape import differences
from affidavit.store.protocol import Finding

_OF_SERVER: Final = (
    "SELECT current_setting('server_version'), current_setting('server_encoding'), pg_is_in_recovery()"
)
_OF_ROLE: Final = "SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
_UNSAFE: Final = (
    "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'"
)
_OWNER: Final = f"SELECT tableowner FROM pg_tables WHERE schemaname = '{SCHEMA}' AND tablename = 'entry'"


def findings(conn: PostgresConnection) -> list[Finding]:
    """Every finding; nothing is changed."""
    return [_server(conn), _role(conn), _schema(conn)]


def _server(conn: PostgresConnection) -> Finding:
    version, encoding, standby = _row(conn, _OF_SERVER)
    off = [name for (name,) in conn.raw.execute(_UNSAFE).fetchall()]
    detail = f"PostgreSQL {version}, {encoding}{', a standby' if standby else ''}"
    if not off:
        return Finding("server", ok=True, detail=detail)
    return Finding(
        "server",
        ok=False,
        detail=f"{detail}, with {' and '.join(off)} switched off",
        hint="switch it on: a power failure may take or damage what was acknowledged",
    )


def _role(conn: PostgresConnection) -> Finding:
    name, is_super, passes = _row(conn, _OF_ROLE)
    why = "is a superuser" if is_super else "has BYPASSRLS" if passes else ""
    return Finding(
        "row-level security",
        ok=not why,
        detail=f"it does not hold: the role {name} {why}" if why else f"it holds for the role {name}",
        hint="connect as a role of its own, with neither SUPERUSER nor BYPASSRLS" if why else "",
    )


def _schema(conn: PostgresConnection) -> Finding:
    different = differences(conn, migrations())
    (owner,) = _row(conn, _OWNER)
    return Finding(
        "schema",
        ok=not different,
        detail="; ".join(different) or f"{SCHEMA}, owned by {owner}, is as the migrations make it",
        hint="find out who changed it; `affidavit verify` names what it did to the rows" if different else "",
    )


def _row(conn: PostgresConnection, sql: str) -> Any:
    return conn.raw.execute(sql.encode()).fetchone()
