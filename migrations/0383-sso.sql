-- People who sign in by a directory of others have no password here.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;

-- Directories that people sign in by (people/sso/). One more may come from the environment (OIDC_ENABLED), without a row.
CREATE TABLE sso_providers (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  kind text NOT NULL CHECK (kind IN ('oidc')),
  name text NOT NULL UNIQUE,                     -- on the button
  issuer text NOT NULL UNIQUE,
  settings jsonb NOT NULL,
  sealed_secret bytea,
  created_at timestamptz NOT NULL
);

-- Who somebody is at a provider: issuer and subject, never an address. Survives the provider's row.
CREATE TABLE sso_identities (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,                                    -- as the provider said last, to be recognised by
  sealed_token bytea,                            -- by which the provider is asked again
  checked_at timestamptz,                        -- when it was asked last; null where there is no token
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  UNIQUE (issuer, subject)
);

CREATE INDEX sso_identities_user ON sso_identities (user_id);
CREATE INDEX sso_identities_checked ON sso_identities (checked_at) WHERE checked_at IS NOT NULL;

-- Sessions that a provider began, and what ends them there.
CREATE TABLE sso_sessions (
  session_id bigint PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  identity_id bigint NOT NULL REFERENCES sso_identities (id) ON DELETE CASCADE,
  provider_session text,
  sealed_id_token bytea
);

CREATE INDEX sso_sessions_identity ON sso_sessions (identity_id);
