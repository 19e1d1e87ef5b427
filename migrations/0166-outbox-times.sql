-- A worker that helps the first one takes what has waited for a while.
ALTER TABLE outbox ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
