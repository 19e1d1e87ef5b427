-- no transaction
-- What is deleted by age is found by an index (docs/design/database.md).

CREATE INDEX CONCURRENTLY IF NOT EXISTS status_idempotency_created
  ON status_idempotency (created_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS tombstones_created ON tombstones (created_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS oauth_tokens_revoked ON oauth_tokens (revoked_at)
  WHERE revoked_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS oauth_codes_expires ON oauth_codes (expires_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS sessions_used ON sessions (used_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS user_weeks_week ON user_weeks (week);

-- Where a pass over many rows, newest first, has got to.
CREATE TABLE IF NOT EXISTS retention_passes (
  name text PRIMARY KEY,
  before_id bigint NOT NULL
);

-- The conversations in which somebody here took part.
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_conversation_local
  ON statuses (conversation_id) WHERE local;
