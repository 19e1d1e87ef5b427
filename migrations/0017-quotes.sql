-- Quotes: which status quotes which, and whether the quoted author approved it (FEP-044f).

-- Who may quote, as bits (src/domain/statuses/quotes/policy.ts).
ALTER TABLE statuses DROP COLUMN quote_policy;
ALTER TABLE statuses ADD COLUMN quote_policy smallint NOT NULL DEFAULT 0;

-- The number of approved quotes.
ALTER TABLE status_stats ADD COLUMN quotes_count bigint NOT NULL DEFAULT 0;

CREATE TABLE quotes (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  status_id bigint NOT NULL UNIQUE REFERENCES statuses (id) ON DELETE CASCADE,  -- the quoting status
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,        -- its author
  -- null: unknown or deleted
  quoted_status_id bigint REFERENCES statuses (id) ON DELETE SET NULL,
  quoted_account_id bigint REFERENCES accounts (id) ON DELETE SET NULL,
  quoted_uri text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'accepted', 'rejected', 'revoked')),
  legacy boolean NOT NULL DEFAULT false,  -- by a server without approvals
  approval_uri text,                      -- the quoted author's QuoteAuthorization
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Who quotes a status, newest first.
CREATE INDEX quotes_quoted ON quotes (quoted_status_id, status_id) WHERE quoted_status_id IS NOT NULL;
CREATE INDEX quotes_quoted_account ON quotes (quoted_account_id) WHERE quoted_account_id IS NOT NULL;
CREATE INDEX quotes_account ON quotes (account_id);
CREATE INDEX quotes_approval ON quotes (approval_uri) WHERE approval_uri IS NOT NULL;

-- The poll options of a version.
ALTER TABLE status_edits ADD COLUMN poll_options text[];
