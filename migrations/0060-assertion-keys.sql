-- Keys of Ed25519 that actors of other servers sign with beside their RSA key (FEP-521a).
CREATE TABLE assertion_keys (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_id text NOT NULL,
  public_key text NOT NULL,               -- Multikey
  PRIMARY KEY (account_id, key_id)
);

CREATE INDEX assertion_keys_key_id ON assertion_keys (key_id);
