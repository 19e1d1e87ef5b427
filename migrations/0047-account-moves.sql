-- Where accounts moved, here and elsewhere: one cannot move again for a while.
CREATE TABLE account_moves (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL
);
CREATE INDEX account_moves_account ON account_moves (account_id, created_at DESC);
CREATE INDEX account_moves_target ON account_moves (target_account_id);
