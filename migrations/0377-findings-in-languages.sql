-- What was found is said in the reader's language, by keys of the catalogue and their values.
ALTER TABLE findings ADD COLUMN said jsonb;
