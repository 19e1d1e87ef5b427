-- Polls, of statuses here and elsewhere, and who voted for what.

CREATE TABLE polls (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  status_id bigint NOT NULL UNIQUE REFERENCES statuses (id) ON DELETE CASCADE,
  options text[] NOT NULL,
  tallies bigint[] NOT NULL,              -- as many as options; elsewhere as their origin tells
  multiple boolean NOT NULL,
  hide_totals boolean NOT NULL DEFAULT false,
  voters_count bigint,                    -- null: the origin does not tell
  expires_at timestamptz,                 -- null: it stays open
  refreshed_at timestamptz                -- elsewhere: when the figures were last asked for
);

CREATE TABLE poll_votes (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  poll_id bigint NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  choice smallint NOT NULL,
  uri text,                               -- of the vote's object, where it came from elsewhere
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (poll_id, account_id, choice)
);

CREATE INDEX poll_votes_account ON poll_votes (account_id);
