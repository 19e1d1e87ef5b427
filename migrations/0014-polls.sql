-- Polls of local and remote statuses, and their votes.

CREATE TABLE polls (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  status_id bigint NOT NULL UNIQUE REFERENCES statuses (id) ON DELETE CASCADE,
  options text[] NOT NULL,
  tallies bigint[] NOT NULL,              -- as many as options; of a remote poll as its origin says
  multiple boolean NOT NULL,
  hide_totals boolean NOT NULL DEFAULT false,
  voters_count bigint,                    -- null: the origin does not say
  expires_at timestamptz,                 -- null: it never ends
  refreshed_at timestamptz                -- of a remote poll: when its figures were last fetched
);

CREATE TABLE poll_votes (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  poll_id bigint NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  choice smallint NOT NULL,
  uri text,                               -- of the vote's object, if it is remote
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (poll_id, account_id, choice)
);

CREATE INDEX poll_votes_account ON poll_votes (account_id);
