-- Which worker processes run, each with a lease that it renews; what a process claims carries its id
-- (docs/design/several-processes.md). Without rows the only process has claimed everything.
CREATE TABLE workers (
  id uuid PRIMARY KEY,
  -- Under which names it locks jobs.
  pools text[] NOT NULL DEFAULT '{}',
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);

ALTER TABLE outbox ADD COLUMN owner uuid;
ALTER TABLE incoming_activities ADD COLUMN owner uuid;
