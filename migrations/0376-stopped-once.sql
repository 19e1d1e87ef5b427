-- What a rule against spam stopped is stored once for an Idempotency-Key, and shown to its author.
ALTER TABLE spam_matches ADD COLUMN idempotency_key text;
CREATE INDEX spam_matches_key ON spam_matches (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX spam_matches_waiting ON spam_matches (account_id, id DESC) WHERE state = 'held';
