-- no transaction
-- Words in what people who want to be discovered write about themselves (domain/accounts/queries-bios.ts), without its HTML.
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_bio
  ON accounts USING gin (regexp_replace(note_html, '<[^<>]*>', ' ', 'g') gin_trgm_ops)
  WHERE discoverable AND suspended_at IS NULL AND note_html <> '';
