-- Who follows, asks, blocks, mutes. ids grow with time and page the lists.

CREATE TABLE follows (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  show_reblogs boolean NOT NULL DEFAULT true,
  notify boolean NOT NULL DEFAULT false,
  languages text[],
  uri text,                               -- of the Follow activity
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, target_account_id)
);

-- Followers of an account, newest first; and its uri for Accept and Undo.
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
  expires_at timestamptz,                 -- judged by the clock whenever it is read
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, target_account_id)
);

CREATE INDEX mutes_account ON mutes (account_id, id);
CREATE INDEX mutes_target ON mutes (target_account_id);
