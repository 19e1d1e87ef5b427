-- What moderators write about an account for each other (docs/design/staff.md).
CREATE TABLE account_remarks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  account_id bigint REFERENCES accounts (id) ON DELETE SET NULL, -- who wrote it; null: gone
  text text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX account_remarks_target ON account_remarks (target_account_id, id DESC);
CREATE INDEX account_remarks_account ON account_remarks (account_id) WHERE account_id IS NOT NULL;
