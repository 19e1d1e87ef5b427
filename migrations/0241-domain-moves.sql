-- Moves of the server to another domain: what one in progress has done, so that it goes on where it was
-- (docs/design/moving.md).
CREATE TABLE domain_moves (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  local_domain text NOT NULL,             -- the new names
  web_domain text NOT NULL,
  https boolean NOT NULL,
  step text NOT NULL DEFAULT '',          -- the one that is being done, and the last row that it has done
  after bigint NOT NULL DEFAULT 0,
  counts jsonb NOT NULL DEFAULT '{}',     -- how many, by step
  started_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE UNIQUE INDEX domain_moves_unfinished ON domain_moves ((true)) WHERE finished_at IS NULL;

-- Follows between people here and elsewhere that began under a former name, until the other server knows them under
-- the present one.
CREATE TABLE former_follows (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, target_account_id)
);
CREATE INDEX former_follows_target ON former_follows (target_account_id);
CREATE INDEX former_follows_created ON former_follows (created_at);
