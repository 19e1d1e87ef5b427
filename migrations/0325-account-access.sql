-- Whose account may be used by whom without its password (domain/people/identities/): accounts of one person that are
-- linked with each other, a row for each direction.
CREATE TABLE account_access (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,   -- whose account
  person_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE, -- used by whom
  kind text NOT NULL CHECK (kind IN ('identity')),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (user_id <> person_id),
  UNIQUE (user_id, person_id)
);

CREATE INDEX account_access_person ON account_access (person_id);

-- By what a session was started, a code given, and a token issued; null: by the account's own password. They end with it.
ALTER TABLE sessions ADD COLUMN access_id bigint REFERENCES account_access (id) ON DELETE CASCADE;
ALTER TABLE oauth_codes ADD COLUMN access_id bigint REFERENCES account_access (id) ON DELETE CASCADE;
ALTER TABLE oauth_tokens ADD COLUMN access_id bigint REFERENCES account_access (id) ON DELETE CASCADE;

CREATE INDEX sessions_access ON sessions (access_id) WHERE access_id IS NOT NULL;
CREATE INDEX oauth_codes_access ON oauth_codes (access_id) WHERE access_id IS NOT NULL;
CREATE INDEX oauth_tokens_access ON oauth_tokens (access_id) WHERE access_id IS NOT NULL;
