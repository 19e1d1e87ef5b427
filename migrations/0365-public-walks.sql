-- no transaction
-- The walk of a public timeline passes by what its reader hides: with the author in the index no post is read for that.
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_public_walk ON statuses (id DESC) INCLUDE (account_id)
  WHERE visibility = 'public' AND reblog_of_id IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS statuses_public;
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_public_local_walk ON statuses (id DESC) INCLUDE (account_id)
  WHERE visibility = 'public' AND reblog_of_id IS NULL AND local;
DROP INDEX CONCURRENTLY IF EXISTS statuses_public_local;
ALTER INDEX IF EXISTS statuses_public_walk RENAME TO statuses_public;
ALTER INDEX IF EXISTS statuses_public_local_walk RENAME TO statuses_public_local;
