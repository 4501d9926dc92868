-- Memories: versions, what they stand on, conflicts, revoked sources, and what was refused.
-- A key stands first in its table: older SQLite takes other columns for NULL when it checks a table without row ids.

-- A row a version. What the space index reads comes first, the text last.
CREATE TABLE item (
  space_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  memory_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('fact', 'preference', 'event', 'instruction', 'experience', 'summary')),
  authority TEXT NOT NULL CHECK (authority IN ('unendorsed', 'attested', 'authorized')),
  status TEXT NOT NULL CHECK (status IN
    ('active', 'superseded', 'retracted', 'archived', 'lapsed', 'invalidated', 'quarantined')),
  occurred_start INTEGER,
  occurred_end INTEGER,
  recorded_at INTEGER NOT NULL,
  valid_start INTEGER,
  valid_end INTEGER,
  closed_end INTEGER,
  closed_at INTEGER,
  terms BLOB NOT NULL,
  subject TEXT NOT NULL,
  relation TEXT,
  object TEXT,
  qualifier TEXT,
  certainty TEXT NOT NULL CHECK (certainty IN ('asserted', 'hedged', 'hypothetical')),
  negated INTEGER NOT NULL CHECK (negated IN (0, 1)),
  claimant TEXT,
  time_text TEXT,
  time_basis TEXT NOT NULL CHECK (time_basis IN ('stated', 'resolved', 'inferred')),
  time_offset INTEGER,
  policy TEXT NOT NULL,
  extractor TEXT NOT NULL,
  model TEXT,
  prompt TEXT,
  language TEXT,
  slots TEXT NOT NULL,
  metadata TEXT NOT NULL,
  actor TEXT NOT NULL,
  closed_by TEXT,
  closed_seq INTEGER,
  match_key INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (space_id, seq)
);

CREATE UNIQUE INDEX item_version ON item (space_id, memory_id, version);
CREATE INDEX item_relation ON item (space_id, subject, relation);
CREATE INDEX item_match ON item (space_id, match_key);
CREATE INDEX item_closed ON item (space_id, closed_by);

-- removed: why it counts no more, if it does not.
CREATE TABLE support (
  space_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  support INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  authority TEXT NOT NULL CHECK (authority IN ('unendorsed', 'attested', 'authorized')),
  removed TEXT CHECK (removed IN ('revoked', 'rederived', 'weakened')),
  PRIMARY KEY (space_id, memory_id, version, support)
) WITHOUT ROWID;

-- What a support needs: a quote of an episode, or another version (then without start, end and quote).
CREATE TABLE support_part (
  space_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  support INTEGER NOT NULL,
  part INTEGER NOT NULL,
  source TEXT NOT NULL,
  quote_start INTEGER,
  quote_end INTEGER,
  quote TEXT,
  PRIMARY KEY (space_id, memory_id, version, support, part)
) WITHOUT ROWID;

CREATE INDEX support_source ON support_part (space_id, source);

-- members: a JSON list of version ids.
CREATE TABLE conflict (
  space_id TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  members TEXT NOT NULL,
  subject TEXT NOT NULL,
  relation TEXT,
  opened_at INTEGER NOT NULL,
  resolved_at INTEGER,
  kept TEXT,
  PRIMARY KEY (space_id, id)
) WITHOUT ROWID;

CREATE TABLE revoked_source (
  space_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (space_id, source_id)
) WITHOUT ROWID;

-- The highest number that a memory's versions, or a version's supports, ever had, where that one was erased and others
-- are left: a number is never given again.
CREATE TABLE last_number (
  space_id TEXT NOT NULL,
  target TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (space_id, target)
) WITHOUT ROWID;

-- What the checks refused, without its text. Not memory: deriving again makes it again.
CREATE TABLE rejection (
  space_id TEXT NOT NULL,
  episode_id TEXT NOT NULL,
  span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  code TEXT NOT NULL,
  check_name TEXT NOT NULL,
  hint TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (space_id, episode_id, span_start, span_end, code)
) WITHOUT ROWID;
