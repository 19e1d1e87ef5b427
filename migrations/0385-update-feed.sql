-- What the feed of updates at an address (UPDATE_FEED) said last: an older answer is not taken.
CREATE TABLE update_feed (
  address text PRIMARY KEY,
  issued_at timestamptz NOT NULL,
  feed jsonb NOT NULL
);
