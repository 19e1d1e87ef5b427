-- no transaction
-- A person's uploads that wait: their number is the priority of the next one. There are few of them, however many files there are.
CREATE INDEX CONCURRENTLY IF NOT EXISTS media_attachments_waiting ON media_attachments (account_id, id)
WHERE state = 'waiting';
