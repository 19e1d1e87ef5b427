-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS media_attachments_draft ON media_attachments (draft_id)
  WHERE draft_id IS NOT NULL;
-- Uploads that nobody used: those that drafts keep are not among them any more.
CREATE INDEX CONCURRENTLY IF NOT EXISTS media_attachments_unused ON media_attachments (created_at)
  WHERE status_id IS NULL AND scheduled_id IS NULL AND detached_from IS NULL AND draft_id IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS media_attachments_unattached;
