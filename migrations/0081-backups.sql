-- How the last backups went: for the one that is due next, and for whoever asks whether there are any.
CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  place text NOT NULL,
  bytes float8 NOT NULL,
  files integer NOT NULL,
  -- null: it succeeded
  fault text
);
