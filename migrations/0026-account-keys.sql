-- Private keys have a table of their own: whatever reads accounts, or may read them, has no part in the keys.

CREATE TABLE account_keys (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  private_key text NOT NULL               -- PEM, PKCS #8
);

INSERT INTO account_keys (account_id, private_key)
SELECT id, private_key FROM accounts WHERE private_key IS NOT NULL;

-- A dropped column alone stays in the rows.
UPDATE accounts SET private_key = NULL WHERE private_key IS NOT NULL;
ALTER TABLE accounts DROP COLUMN private_key;
