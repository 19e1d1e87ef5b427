-- Copies of files of other servers, fetched when somebody looks at them (docs/design/media.md).
CREATE TABLE remote_files (
  hash bytea PRIMARY KEY,                 -- of the address and of what was made of it
  host text NOT NULL,
  key text,                               -- null: it could not be fetched
  bytes bigint NOT NULL DEFAULT 0,
  fetched_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz NOT NULL DEFAULT now(),
  retry_at timestamptz                    -- when to ask again
);
CREATE INDEX remote_files_used ON remote_files (used_at);
CREATE INDEX remote_files_host ON remote_files (host);

CREATE FUNCTION remote_files_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key) SELECT key FROM gone WHERE key IS NOT NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER remote_files_deleted AFTER DELETE ON remote_files
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION remote_files_deleted();
