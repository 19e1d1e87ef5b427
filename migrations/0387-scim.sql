-- Tokens by which a provider tells of its people (SCIM), one for each; only the hash is stored. By issuer, as one of the
-- environment has no row.
CREATE TABLE scim_tokens (
  issuer text PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL
);

-- People whom a provider told of, before and after their first sign-in by it.
CREATE TABLE scim_users (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  issuer text NOT NULL,
  user_name text NOT NULL,
  external_id text,                              -- the subject by which they sign in
  active boolean NOT NULL,
  attributes jsonb NOT NULL,                     -- names and addresses, as they were sent
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (issuer, external_id)
);

CREATE UNIQUE INDEX scim_users_name ON scim_users (issuer, lower(user_name));

CREATE TABLE scim_groups (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  issuer text NOT NULL,
  display_name text NOT NULL,
  external_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (issuer, display_name)
);

CREATE TABLE scim_members (
  group_id bigint NOT NULL REFERENCES scim_groups (id) ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES scim_users (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, user_id)
);

CREATE INDEX scim_members_user ON scim_members (user_id);
