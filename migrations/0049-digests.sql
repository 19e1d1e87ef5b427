-- When a person was last sent a summary of what they missed.
ALTER TABLE users ADD COLUMN digest_at timestamptz;
