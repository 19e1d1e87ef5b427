-- no transaction
-- The emojis that a post got; few favourites have one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS favourites_reactions ON favourites (status_id, account_id)
  WHERE reaction IS NOT NULL;
