-- Web Push: where a token's app wants to be told of notifications.

CREATE TABLE push_subscriptions (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  token_id bigint NOT NULL UNIQUE REFERENCES oauth_tokens (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  endpoint text NOT NULL,
  p256dh bytea NOT NULL,                  -- the app's public key, a point on P-256
  auth bytea NOT NULL,                    -- its secret (RFC 8291, 3.2)
  standard boolean NOT NULL,              -- RFC 8291; otherwise the draft before it (aesgcm)
  alerts jsonb NOT NULL,                  -- notification type → boolean
  policy text NOT NULL,                   -- all, followed, follower, none
  access_token bytea NOT NULL,            -- sealed: apps expect their token in each message
  failures int NOT NULL DEFAULT 0,        -- attempts in a row that failed
  retry_at timestamptz,                   -- nothing is sent before
  created_at timestamptz NOT NULL
);

CREATE INDEX push_subscriptions_account ON push_subscriptions (account_id, id);
