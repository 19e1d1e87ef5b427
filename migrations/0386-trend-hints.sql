-- What trends elsewhere, as providers say (federation/fasp/): candidates beside those that are computed here.
CREATE TABLE trend_hints (
  kind text NOT NULL, -- status, tag or link
  subject text NOT NULL, -- the id of the post, the name of the tag, or the hash of the link
  score double precision NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject)
);
