-- What people bring along from other accounts: lists of people, domains, posts, and later whole archives.
CREATE TABLE imports (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind text NOT NULL,
  file_name text NOT NULL,
  -- Also removes what the file does not have.
  overwrite boolean NOT NULL,
  -- new: it waits for its owner's word; removing: everything was read, what is not in the file goes.
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'unpacking', 'running', 'removing', 'done')),
  -- Why it ended early; null: it did not.
  fault text,
  -- The archive in the folder of uploads, and its author.
  source jsonb,
  total integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  removed integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);

CREATE INDEX imports_account ON imports (account_id, id DESC);
CREATE INDEX imports_created ON imports (created_at);

CREATE TABLE import_rows (
  import_id bigint NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  n integer NOT NULL,
  data jsonb NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
  -- What it became: the id of an account, a status, a filter, or a domain.
  target text,
  fault text,
  tries smallint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (import_id, n)
);

CREATE INDEX import_rows_due ON import_rows (import_id, due_at, n) WHERE state = 'waiting';
CREATE INDEX import_rows_target ON import_rows (import_id, target) WHERE state = 'done';
