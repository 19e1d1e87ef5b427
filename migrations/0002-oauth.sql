-- Applications, codes, tokens, and the sessions of our own pages. Of secrets only the SHA-256 is stored.

CREATE TABLE oauth_apps (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  name text NOT NULL,
  website text,
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  client_id text NOT NULL UNIQUE,
  client_secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE oauth_codes (
  code_hash bytea PRIMARY KEY,
  app_id bigint NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  code_challenge text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

CREATE INDEX oauth_codes_user ON oauth_codes (user_id);

CREATE TABLE oauth_tokens (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  token_hash bytea NOT NULL UNIQUE,
  app_id bigint REFERENCES oauth_apps (id) ON DELETE CASCADE,
  user_id bigint REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea,                        -- the code that it was issued for: if the code is used twice, the token is revoked
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

CREATE INDEX oauth_tokens_user ON oauth_tokens (user_id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_tokens_app ON oauth_tokens (app_id);
CREATE INDEX oauth_tokens_code ON oauth_tokens (code_hash) WHERE code_hash IS NOT NULL;

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  ip inet,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX sessions_user ON sessions (user_id);

ALTER TABLE users ADD FOREIGN KEY (created_by_app_id) REFERENCES oauth_apps (id) ON DELETE SET NULL;
