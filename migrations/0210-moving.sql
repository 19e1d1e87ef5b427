-- How far the import of another server's database is (docs/design/moving.md).

CREATE TABLE moving (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  pass integer NOT NULL,                  -- the first takes everything, later ones what changed since
  since timestamp,                        -- of the other database's clock, when the pass before began; null: the first
  began timestamp NOT NULL,               -- the same of this pass
  started_at timestamptz NOT NULL,        -- the first pass, by the clock here
  finished_at timestamptz                 -- null: this pass is not finished
);

CREATE TABLE moving_steps (
  name text PRIMARY KEY,
  pass integer NOT NULL,
  after jsonb,                            -- the key of the last row that was taken; null: none yet
  done boolean NOT NULL DEFAULT false,
  rows bigint NOT NULL DEFAULT 0,         -- read, in all passes
  orphans bigint NOT NULL DEFAULT 0,      -- of those, about what is not there any more
  refused bigint NOT NULL DEFAULT 0,
  fault text                              -- why the last one was refused
);
