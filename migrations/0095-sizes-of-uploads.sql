-- How many bytes the stored file of an upload has, for feeds (RSS) and `rookery media usage`. null: a remote one, or an upload from before.
ALTER TABLE media_attachments ADD COLUMN file_size bigint;
