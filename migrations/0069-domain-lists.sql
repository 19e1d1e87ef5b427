-- Lists of servers to block that others keep, which this one reads again and again.
CREATE TABLE domain_lists (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  url text NOT NULL UNIQUE,
  title text NOT NULL,
  -- What each severity of the list becomes here: {"suspend": "silence", "noop": "skip", …}.
  severities jsonb NOT NULL,
  -- Blocks end when the list has them no more.
  retract boolean NOT NULL DEFAULT true,
  etag text,
  entries integer NOT NULL DEFAULT 0,
  -- Why it could not be read the last time.
  fault text,
  fetched_at timestamptz,
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX domain_lists_due ON domain_lists (due_at);

CREATE TABLE domain_list_entries (
  list_id bigint NOT NULL REFERENCES domain_lists (id) ON DELETE CASCADE,
  domain text NOT NULL,
  severity text NOT NULL,
  reject_media boolean NOT NULL,
  reject_reports boolean NOT NULL,
  public_comment text,
  obfuscate boolean NOT NULL,
  PRIMARY KEY (list_id, domain)
);

-- What no list blocks here.
CREATE TABLE domain_list_exceptions (
  domain text PRIMARY KEY,
  created_at timestamptz NOT NULL
);

-- The blocks that came from lists, as they were set: one that a moderator changes since is the moderator's.
CREATE TABLE domain_list_blocks (
  block_id bigint PRIMARY KEY REFERENCES domain_blocks (id) ON DELETE CASCADE,
  applied jsonb NOT NULL,
  -- It ends when no list has it any more.
  retract boolean NOT NULL
);

CREATE TABLE domain_list_changes (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  domain text NOT NULL,
  change text NOT NULL CHECK (change IN ('added', 'changed', 'removed')),
  severity text,
  before text,
  lists text[] NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX domain_list_changes_created ON domain_list_changes (created_at);
