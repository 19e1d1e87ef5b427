-- What the last `rookery doctor` found, for the pages and mails of the staff.
CREATE TABLE findings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  check_name text NOT NULL,
  state text NOT NULL,                    -- ok, warning, fault, skipped
  text text NOT NULL,
  advice text,
  found_at timestamptz NOT NULL
);
