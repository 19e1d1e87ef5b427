-- When a post is deleted (statuses/expire.ts); null: never.
ALTER TABLE statuses ADD COLUMN expires_at timestamptz;
