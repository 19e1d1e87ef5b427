-- Sign-in beyond the password: links in mails, codes of an authenticator app, passkeys, sessions.

ALTER TABLE sessions ADD COLUMN id bigint NOT NULL DEFAULT snowflake();
CREATE UNIQUE INDEX sessions_id ON sessions (id);

-- One link per user: a new mail replaces the one before. Only a hash of the link's token is stored.
CREATE TABLE password_resets (
  user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  sent_at timestamptz NOT NULL
);

-- A new address, which replaces users.email once the link sent to it has been opened.
CREATE TABLE email_changes (
  user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  email citext NOT NULL,
  token_hash bytea UNIQUE,                -- null until the mail is sent
  asked_at timestamptz NOT NULL
);

CREATE TABLE totp_secrets (
  user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed bytea NOT NULL,                  -- AES-256-GCM under SECRET_KEY_BASE
  confirmed_at timestamptz,               -- null: not yet confirmed by a code
  last_step bigint NOT NULL DEFAULT 0     -- the time step of the last code used: each code works once
);

CREATE TABLE recovery_codes (
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkeys (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE,     -- base64url, as in the browser's API
  public_key bytea NOT NULL,              -- COSE
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz
);

CREATE INDEX passkeys_user ON passkeys (user_id);
