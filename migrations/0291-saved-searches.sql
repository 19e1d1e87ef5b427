-- Searches that people keep (domain/saved-searches/): at most 100 each.
CREATE TABLE saved_searches (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  q text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE UNIQUE INDEX saved_searches_q ON saved_searches (account_id, q);
