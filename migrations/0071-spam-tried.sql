-- What the last dry run of a rule found: {"looked", "matched", "accounts"}.
ALTER TABLE spam_rules ADD COLUMN tried jsonb;
