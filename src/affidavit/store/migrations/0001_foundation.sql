-- The foundation: spaces with their logs, actors, episodes, vectors, traces, jobs, seals.
-- space_id stands first in every key; no row refers across spaces; times are UTC microseconds.

CREATE TABLE meta (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- The head of a space's log. listed: the size at which the directory last listed it.
-- After the erasure of the whole space, name is null and frontier holds the peaks before the last entry.
CREATE TABLE space (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('user', 'team', 'public', 'agent', 'app', 'directory')),
  name TEXT,
  size INTEGER NOT NULL,
  root BLOB NOT NULL,
  frontier BLOB NOT NULL,
  note TEXT,
  listed INTEGER NOT NULL
) WITHOUT ROWID;

CREATE UNIQUE INDEX space_owner ON space (kind, name);

-- What was hashed, byte for byte.
CREATE TABLE entry (
  space_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (space_id, seq)
) WITHOUT ROWID;

-- The blind of the entry's commitment; destroyed with what it commits to.
CREATE TABLE blind (
  space_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  blind BLOB NOT NULL,
  PRIMARY KEY (space_id, seq)
) WITHOUT ROWID;

CREATE TABLE actor (
  space_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  seq INTEGER NOT NULL,
  who TEXT NOT NULL,
  PRIMARY KEY (space_id, ref)
) WITHOUT ROWID;

CREATE UNIQUE INDEX actor_who ON actor (space_id, who);

-- What the space index reads comes first, so that it never walks through long texts.
CREATE TABLE episode (
  space_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  session_id TEXT,
  speaker TEXT,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool', 'document', 'mail')),
  authority TEXT NOT NULL CHECK (authority IN ('unendorsed', 'attested', 'authorized')),
  status TEXT NOT NULL CHECK (status IN ('active', 'quarantined')),
  occurred_start INTEGER,
  occurred_end INTEGER,
  recorded_at INTEGER NOT NULL,
  terms BLOB NOT NULL,
  policy TEXT NOT NULL,
  actor TEXT NOT NULL,
  agent TEXT,
  author TEXT CHECK (author IN ('user', 'system', 'third_party')),
  derived_from TEXT CHECK (derived_from IN ('user', 'system', 'third_party')),
  occurred_text TEXT,
  occurred_basis TEXT NOT NULL CHECK (occurred_basis IN ('stated', 'resolved', 'inferred')),
  occurred_offset INTEGER,
  source TEXT,
  source_id TEXT,
  event_type TEXT,
  resources TEXT NOT NULL,
  idempotency_key TEXT,
  document TEXT,
  extra TEXT,
  metadata TEXT NOT NULL,
  spans TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (space_id, seq)
);

CREATE UNIQUE INDEX episode_id ON episode (space_id, id);
CREATE INDEX episode_session ON episode (space_id, session_id, seq);
CREATE INDEX episode_source ON episode (space_id, source_id, seq) WHERE source_id IS NOT NULL;
CREATE INDEX episode_actor ON episode (space_id, actor, seq);
CREATE UNIQUE INDEX episode_key ON episode (space_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE embedding (
  space_id TEXT NOT NULL,
  target_seq INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  target TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (space_id, target_seq)
);

-- What is new since an index last looked.
CREATE INDEX embedding_seq ON embedding (space_id, seq);

-- What was shown for one question. Not memory, not in the ledger.
CREATE TABLE trace (
  space_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  verb TEXT NOT NULL,
  shown TEXT NOT NULL,
  digest BLOB NOT NULL,
  query TEXT,
  PRIMARY KEY (space_id, id)
) WITHOUT ROWID;

-- Work that waits. Not memory, not in the ledger.
CREATE TABLE job (
  space_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  payload TEXT,
  PRIMARY KEY (space_id, kind, target)
) WITHOUT ROWID;

-- Signed heads of the directory.
CREATE TABLE seal (
  seq INTEGER NOT NULL PRIMARY KEY,
  note TEXT NOT NULL
) WITHOUT ROWID;
