-- When somebody of the staff was last sent the summary of the week.
ALTER TABLE users ADD COLUMN staff_digest_at timestamptz;
