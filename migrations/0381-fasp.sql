-- Auxiliary providers (federation/fasp/): services that find people and posts for this server, once the staff has
-- confirmed them. Each has a key, and this server has a key for each.
CREATE TABLE fasp_providers (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  name text NOT NULL,
  base_url text NOT NULL,
  server_id text NOT NULL,                       -- how the provider names this server
  public_key text NOT NULL,                      -- 32 bytes in base64
  private_key text NOT NULL,                     -- this server's, as PEM
  capabilities jsonb NOT NULL DEFAULT '[]',
  sign_in_url text,
  privacy_url text,
  confirmed_at timestamptz,                      -- null: it asked, and is believed nothing
  created_at timestamptz NOT NULL
);

-- Whom a provider recommends to a person.
CREATE TABLE recommended_accounts (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, target_account_id)
);

CREATE INDEX recommended_accounts_target ON recommended_accounts (target_account_id);
CREATE INDEX recommended_accounts_found ON recommended_accounts (found_at);
