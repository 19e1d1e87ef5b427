-- no transaction
-- The walk of the public timeline of who reads few languages, which would otherwise read all posts in the others. The
-- language is included so that no post is read to see whether it has one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_public_language ON statuses ((coalesce(language, '')), id DESC)
  INCLUDE (account_id, language) WHERE visibility = 'public' AND reblog_of_id IS NULL;
