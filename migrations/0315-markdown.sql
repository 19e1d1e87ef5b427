-- What `text` is written in, as a MIME type; null: as plain text, as everything that is there.
ALTER TABLE statuses ADD COLUMN content_type text;
ALTER TABLE status_edits ADD COLUMN content_type text;
