-- Assertions of SAML that were used (people/sso/assertions.ts): the digest of each, until it has expired.
CREATE TABLE sso_assertions (
  digest bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

CREATE INDEX sso_assertions_expires ON sso_assertions (expires_at);
