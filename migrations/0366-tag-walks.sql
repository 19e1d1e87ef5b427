-- no transaction
-- The walk of a hashtag's timeline passes by what its reader hides: with the author in the index of the key no post is
-- read for that.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS statuses_tags_walk ON statuses_tags (tag_id, status_id) INCLUDE (account_id);
ALTER TABLE statuses_tags DROP CONSTRAINT IF EXISTS statuses_tags_pkey,
  ADD CONSTRAINT statuses_tags_pkey PRIMARY KEY USING INDEX statuses_tags_walk;
