-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_invite ON users (invite_id) WHERE invite_id IS NOT NULL;
