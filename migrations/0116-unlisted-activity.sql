-- no transaction
-- Unlisted posts of people here, which the weeks of activity count beside the public ones (statuses_public_local).
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_unlisted_local ON statuses (id DESC)
  WHERE visibility IN ('public', 'unlisted') AND visibility <> 'public' AND reblog_of_id IS NULL AND local;
