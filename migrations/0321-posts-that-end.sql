-- no transaction
-- Those that end alone, in the order in which they do.
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_expires_at ON statuses (expires_at)
  WHERE expires_at IS NOT NULL;
