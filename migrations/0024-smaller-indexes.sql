-- no transaction
-- Indexes for a hundred million statuses (docs/design/database.md).

-- A digest of an address: 16 bytes in an index, however long it is. Whoever can make two addresses with one
-- digest makes them on servers of their own; what is found by it is compared with the address.
CREATE OR REPLACE FUNCTION uri_key(text) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN md5($1)::uuid;

CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS statuses_uri_key ON statuses (uri_key(uri));
DROP INDEX CONCURRENTLY IF EXISTS statuses_uri;

-- Pages of remote statuses that have another address than the status.
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_page ON statuses USING hash (url)
  WHERE url <> uri AND NOT local;
DROP INDEX CONCURRENTLY IF EXISTS statuses_url;

-- The direct timeline: what a person wrote, and where they are mentioned.
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_direct ON statuses (account_id, id DESC)
  WHERE visibility = 'direct';
ALTER TABLE mentions ADD COLUMN IF NOT EXISTS direct boolean NOT NULL DEFAULT false;
UPDATE mentions m SET direct = true
FROM statuses s WHERE s.id = m.status_id AND s.visibility = 'direct' AND NOT m.direct;
CREATE INDEX CONCURRENTLY IF NOT EXISTS mentions_direct ON mentions (account_id, status_id DESC)
  WHERE direct;

-- The media of an account, and of everybody.
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_account_media ON statuses (account_id, id DESC)
  WHERE has_media;
CREATE INDEX CONCURRENTLY IF NOT EXISTS statuses_public_media ON statuses (id DESC)
  WHERE has_media AND visibility = 'public' AND reblog_of_id IS NULL;

-- An act that is undone takes its notifications along; the index also serves the foreign key.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notifications_from_status
  ON notifications (from_account_id, status_id);
DROP INDEX CONCURRENTLY IF EXISTS notifications_from;

-- Foreign keys.
CREATE INDEX CONCURRENTLY IF NOT EXISTS oauth_tokens_of_user ON oauth_tokens (user_id);
DROP INDEX CONCURRENTLY IF EXISTS oauth_tokens_user;
CREATE INDEX CONCURRENTLY IF NOT EXISTS oauth_codes_app ON oauth_codes (app_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_created_by_app ON users (created_by_app_id)
  WHERE created_by_app_id IS NOT NULL;

-- Apps are never deleted, and a status whose app is gone would show none: a check at each post and an index
-- of all posts would be for nothing.
ALTER TABLE statuses DROP CONSTRAINT IF EXISTS statuses_app_id_fkey;
