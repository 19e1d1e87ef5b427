-- Which of their own old posts people let the server delete.
CREATE TABLE cleanup_policies (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  min_days integer NOT NULL CHECK (min_days > 0),
  keep_pinned boolean NOT NULL,
  keep_favourited boolean NOT NULL,
  keep_bookmarked boolean NOT NULL,
  keep_direct boolean NOT NULL,
  keep_polls boolean NOT NULL,
  keep_media boolean NOT NULL,
  -- null: their number does not matter.
  min_favourites integer,
  min_reblogs integer,
  -- Everything up to this one was looked at in this pass.
  checked_id bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL
);

CREATE INDEX cleanup_policies_due ON cleanup_policies (due_at);
