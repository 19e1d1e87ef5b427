-- Push subscriptions of the web client belong to a session of the pages, since its tokens live an hour.

ALTER TABLE push_subscriptions
  ALTER COLUMN token_id DROP NOT NULL,
  ALTER COLUMN access_token DROP NOT NULL,  -- sessions have none that would last
  ADD COLUMN session_id bigint UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
  ADD CONSTRAINT push_subscriptions_owner CHECK ((token_id IS NULL) <> (session_id IS NULL));
