-- Backups and looks of the doctor that are under way, by the clock or because the staff asked: one of each at a time.
CREATE TABLE server_runs (
  name text PRIMARY KEY,
  seen_at timestamptz NOT NULL -- said again each minute by whoever started it
);
