-- Archives of all that a person wrote, made on request and removed after a week.
CREATE TABLE archives (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done')),
  file_key text,
  bytes bigint,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);

CREATE INDEX archives_account ON archives (account_id, created_at DESC);
CREATE INDEX archives_created ON archives (created_at);

CREATE FUNCTION archive_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key) SELECT file_key FROM gone WHERE file_key IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER archive_deleted AFTER DELETE ON archives
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION archive_deleted();

-- What posts of an archive became here, so that none is imported twice and answers find what they answer.
CREATE TABLE imported_posts (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  uri_hash bytea NOT NULL,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, uri_hash)
);

CREATE INDEX imported_posts_status ON imported_posts (status_id);
