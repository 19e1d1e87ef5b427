-- Figures of days that are over, counted once; those of people who were active are counted as they come.
CREATE TABLE daily_figures (
  key text NOT NULL,
  day date NOT NULL,
  value bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (key, day)
) WITH (fillfactor = 70);
