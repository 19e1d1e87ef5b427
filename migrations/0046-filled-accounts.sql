-- When the totals, pins and recent posts of a remote account were read from its server.
ALTER TABLE accounts ADD COLUMN filled_at timestamptz;
