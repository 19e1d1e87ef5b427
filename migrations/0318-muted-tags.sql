-- Hashtags of whose threads a person wants nothing in their home (timelines/belongs.ts).
CREATE TABLE tag_mutes (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  tag_id bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  expires_at timestamptz,                 -- null: until it is undone
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, tag_id)
);

CREATE INDEX tag_mutes_account ON tag_mutes (account_id, id);
CREATE INDEX tag_mutes_tag ON tag_mutes (tag_id, account_id);

-- Whether there are any is cached: where there are none, nothing is asked for new posts.
CREATE FUNCTION tag_mutes_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NOTIFY tag_mutes;
  RETURN NULL;
END $$;

CREATE TRIGGER tag_mutes_changed AFTER INSERT OR DELETE ON tag_mutes
  FOR EACH STATEMENT EXECUTE FUNCTION tag_mutes_changed();
