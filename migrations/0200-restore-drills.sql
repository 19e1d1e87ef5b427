-- How the last restore drills went: for the doctor, who asks when there was one.
CREATE TABLE restore_drills (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  backup text NOT NULL,
  questions integer NOT NULL,
  failures integer NOT NULL,
  -- the first thing that was wrong; null: nothing
  fault text
);
