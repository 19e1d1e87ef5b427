-- Signing in beyond the password: what mails prove, codes of an app, passkeys, the list of sessions.

ALTER TABLE sessions ADD COLUMN id bigint NOT NULL DEFAULT snowflake();
CREATE UNIQUE INDEX sessions_id ON sessions (id);

-- One link at a time: a new mail takes the place of the one before. The link's token is not kept.
CREATE TABLE password_resets (
  user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  sent_at timestamptz NOT NULL
);

-- An address that is to take the place of users.email once its link was opened.
CREATE TABLE email_changes (
  user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  email citext NOT NULL,
  token_hash bytea UNIQUE,                -- null until the mail is sent
  asked_at timestamptz NOT NULL
);

CREATE TABLE totp_secrets (
  user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed bytea NOT NULL,                  -- AES-256-GCM under SECRET_KEY_BASE
  confirmed_at timestamptz,               -- null: shown, and no code of it was given yet
  last_step bigint NOT NULL DEFAULT 0     -- the step of the newest code used: each works once
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
  credential_id text NOT NULL UNIQUE,     -- base64url, as browsers name it
  public_key bytea NOT NULL,              -- COSE
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz
);

CREATE INDEX passkeys_user ON passkeys (user_id);
