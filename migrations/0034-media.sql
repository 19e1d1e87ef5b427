-- Uploads, their processing, and the files of both (docs/design/media.md).

-- What is stored under these keys and not needed any more; a job deletes the files.
CREATE TABLE files_to_delete (
  key text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE media_attachments
  ALTER COLUMN url DROP NOT NULL,         -- of remote ones
  ADD COLUMN state text NOT NULL DEFAULT 'done' CHECK (state IN ('waiting', 'done', 'failed')),
  ADD COLUMN fault text,                  -- why it failed: one sentence
  ADD COLUMN upload jsonb,                -- the uploaded files, while they wait
  ADD COLUMN file_key text,               -- of uploads: the file, and its smaller picture
  ADD COLUMN small_key text,
  ADD COLUMN scheduled_id bigint REFERENCES scheduled_statuses (id) ON DELETE SET NULL,
  ADD COLUMN detached_from bigint REFERENCES statuses (id) ON DELETE CASCADE;

CREATE INDEX media_attachments_scheduled ON media_attachments (scheduled_id)
  WHERE scheduled_id IS NOT NULL;
CREATE INDEX media_attachments_detached ON media_attachments (detached_from)
  WHERE detached_from IS NOT NULL;
CREATE INDEX media_attachments_unattached ON media_attachments (created_at)
  WHERE status_id IS NULL AND scheduled_id IS NULL AND detached_from IS NULL;

-- What an earlier version showed, as it is read with a status.
ALTER TABLE status_edits ADD COLUMN media jsonb NOT NULL DEFAULT '[]';

CREATE FUNCTION media_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key)
  SELECT key FROM gone, unnest(ARRAY[file_key, small_key]) AS key WHERE key IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER media_deleted AFTER DELETE ON media_attachments
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION media_deleted();
