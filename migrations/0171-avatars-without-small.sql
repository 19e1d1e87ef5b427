-- no transaction
-- Those that were stored before there were small ones.
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_without_small_avatar ON accounts (id)
  WHERE avatar_key IS NOT NULL AND avatar_small_key IS NULL;
