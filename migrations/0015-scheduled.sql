-- Scheduled posts.

CREATE TABLE scheduled_statuses (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  scheduled_at timestamptz NOT NULL,
  draft jsonb NOT NULL,                   -- as submitted
  app_id bigint REFERENCES oauth_apps (id) ON DELETE SET NULL,
  idempotency_key text,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX scheduled_statuses_page ON scheduled_statuses (account_id, id DESC);
-- For counting a day's scheduled posts.
CREATE INDEX scheduled_statuses_day ON scheduled_statuses (account_id, scheduled_at);
CREATE INDEX scheduled_statuses_app ON scheduled_statuses (app_id);
CREATE UNIQUE INDEX scheduled_statuses_once ON scheduled_statuses (account_id, idempotency_key);
