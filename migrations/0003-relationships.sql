-- Follows, follow requests, blocks, mutes. Lists are paged by id, which grows with time.

CREATE TABLE follows (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  show_reblogs boolean NOT NULL DEFAULT true,
  notify boolean NOT NULL DEFAULT false,
  languages text[],
  uri text,                               -- of the Follow activity
  local boolean NOT NULL DEFAULT true,    -- whether the follower is local: set by the trigger below
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, target_account_id)
);

CREATE FUNCTION follow_is_local() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.local := (SELECT domain IS NULL FROM accounts WHERE id = NEW.account_id);
  RETURN NEW;
END
$$;

CREATE TRIGGER follows_local BEFORE INSERT ON follows
  FOR EACH ROW EXECUTE FUNCTION follow_is_local();

-- Index-only scans: fan-out reads local followers from this index, delivery remote ones from the next.
CREATE INDEX follows_fan_out ON follows (target_account_id, account_id)
  INCLUDE (show_reblogs, languages) WHERE local;
CREATE INDEX follows_elsewhere ON follows (target_account_id, account_id) WHERE NOT local;
CREATE INDEX follows_notify ON follows (target_account_id, account_id) WHERE notify AND local;

-- Followers of an account, newest first; then follows by uri, for Accept and Undo.
CREATE INDEX follows_target ON follows (target_account_id, id);
CREATE INDEX follows_account ON follows (account_id, id);
CREATE INDEX follows_uri ON follows (uri) WHERE uri IS NOT NULL;

CREATE TABLE follow_requests (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  show_reblogs boolean NOT NULL DEFAULT true,
  notify boolean NOT NULL DEFAULT false,
  languages text[],
  uri text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, target_account_id)
);

CREATE INDEX follow_requests_target ON follow_requests (target_account_id, id);
CREATE INDEX follow_requests_uri ON follow_requests (uri) WHERE uri IS NOT NULL;

CREATE TABLE blocks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  uri text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, target_account_id)
);

CREATE INDEX blocks_account ON blocks (account_id, id);
CREATE INDEX blocks_target ON blocks (target_account_id);

CREATE TABLE mutes (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hide_notifications boolean NOT NULL DEFAULT true,
  expires_at timestamptz,                 -- compared with the clock at every read
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, target_account_id)
);

CREATE INDEX mutes_account ON mutes (account_id, id);
CREATE INDEX mutes_target ON mutes (target_account_id);
