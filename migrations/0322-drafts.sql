-- Drafts (domain/drafts/): at most 100 of a person, each of one post or of several that become a thread.
CREATE TABLE drafts (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  version int NOT NULL DEFAULT 1,         -- counts its changes
  statuses jsonb NOT NULL,                -- as submitted, in order
  scheduled_at timestamptz,               -- when it is to be posted, as far as its author knows
  idempotency_key text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX drafts_page ON drafts (account_id, id DESC);
CREATE UNIQUE INDEX drafts_once ON drafts (account_id, idempotency_key);

-- The draft that an upload is kept for.
ALTER TABLE media_attachments ADD COLUMN draft_id bigint REFERENCES drafts (id) ON DELETE SET NULL;
