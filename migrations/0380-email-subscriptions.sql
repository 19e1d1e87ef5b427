-- Visitors who get somebody's posts by mail, once they have confirmed their address.
CREATE TABLE email_subscriptions (
  id bigint DEFAULT snowflake() PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  email text NOT NULL,
  locale text NOT NULL,
  expires_at timestamptz, -- null once it is confirmed
  due_at timestamptz, -- when the next mail may be sent; null until it is confirmed
  seen_id bigint NOT NULL DEFAULT 0, -- the newest post that was sent
  UNIQUE (account_id, email)
);
CREATE INDEX email_subscriptions_unconfirmed ON email_subscriptions (expires_at) WHERE expires_at IS NOT NULL;
