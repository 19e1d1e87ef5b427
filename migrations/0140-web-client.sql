-- Tokens of the web client: they belong to a session of the pages, end with it, and expire.

ALTER TABLE oauth_apps ADD COLUMN first_party boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX oauth_apps_first_party ON oauth_apps (first_party) WHERE first_party;

ALTER TABLE oauth_tokens
  ADD COLUMN session_id bigint,           -- of sessions; what ends a session deletes its tokens
  ADD COLUMN expires_at timestamptz;      -- null: until it is revoked

CREATE INDEX oauth_tokens_session ON oauth_tokens (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_tokens_expires ON oauth_tokens (expires_at) WHERE expires_at IS NOT NULL;
