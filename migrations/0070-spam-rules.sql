-- Rules by which moderators stop spam, and what they matched.
CREATE TABLE spam_rules (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  -- Who made it; in their name it reports.
  account_id bigint REFERENCES accounts (id) ON DELETE SET NULL,
  name text NOT NULL,
  conditions jsonb NOT NULL,
  actions text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT false,
  -- The dry run of these conditions; null: none yet.
  tried_at timestamptz,
  hits bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TRIGGER spam_rules_told AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF conditions, actions, enabled, name
  ON spam_rules FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

CREATE TABLE spam_matches (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  rule_id bigint NOT NULL REFERENCES spam_rules (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Of a post that was published.
  status_id bigint REFERENCES statuses (id) ON DELETE SET NULL,
  -- published; held: it waits for a decision; rejected; approved, discarded: decided.
  state text NOT NULL CHECK (state IN ('published', 'held', 'rejected', 'approved', 'discarded')),
  text text NOT NULL,
  -- The whole post, as long as it can still be published.
  post jsonb,
  -- What the rule did besides.
  limited boolean NOT NULL DEFAULT false,
  report_id bigint REFERENCES reports (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX spam_matches_rule ON spam_matches (rule_id, id DESC);
CREATE INDEX spam_matches_held ON spam_matches (id) WHERE state = 'held';
CREATE INDEX spam_matches_account ON spam_matches (account_id);
CREATE INDEX spam_matches_status ON spam_matches (status_id) WHERE status_id IS NOT NULL;
CREATE INDEX spam_matches_report ON spam_matches (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX spam_matches_created ON spam_matches (created_at);

-- Who wrote the same within the last hours: only while a rule asks for it.
CREATE TABLE spam_texts (
  hash bytea NOT NULL,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  PRIMARY KEY (hash, account_id)
);

CREATE INDEX spam_texts_account ON spam_texts (account_id);
CREATE INDEX spam_texts_at ON spam_texts (at);
