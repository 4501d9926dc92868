-- Permits, and what gates decided.

-- limits: JSON, or none.
CREATE TABLE permit (
  space_id TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  tool TEXT NOT NULL,
  limits TEXT,
  until INTEGER,
  granted_at INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (space_id, id)
) WITHOUT ROWID;

-- request, token: a keyed hash of what was asked, and the hash of its key. reasons, rests_on: JSON lists.
CREATE TABLE decision (
  space_id TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('allow', 'ask', 'deny')),
  gate TEXT NOT NULL,
  tool TEXT,
  request BLOB,
  reasons TEXT NOT NULL,
  rests_on TEXT NOT NULL,
  expires INTEGER,
  token BLOB,
  decided_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  PRIMARY KEY (space_id, id)
) WITHOUT ROWID;
