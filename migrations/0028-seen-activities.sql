-- Which activities were received is a table of its own, by week: a week that is over is emptied at once instead
-- of row by row, and activities that are done leave the queue (docs/design/database.md).

-- `slot`: the weeks since 1970, modulo 3: this week, the one before, and one that is empty for the next
-- (emptyNextSlot in src/federation/inbox/queries.ts).
CREATE TABLE seen_activities (
  slot smallint NOT NULL,
  key uuid NOT NULL,                      -- uri_key of the actor's URI, a space, and the activity's
  PRIMARY KEY (key, slot)
) PARTITION BY LIST (slot);

CREATE TABLE seen_activities_0 PARTITION OF seen_activities FOR VALUES IN (0);
CREATE TABLE seen_activities_1 PARTITION OF seen_activities FOR VALUES IN (1);
CREATE TABLE seen_activities_2 PARTITION OF seen_activities FOR VALUES IN (2);

INSERT INTO seen_activities (slot, key)
SELECT floor(extract(epoch FROM received_at) / 604800)::bigint % 3, uri_key(actor_uri || ' ' || uri)
FROM incoming_activities WHERE received_at > now() - interval '7 days'
ON CONFLICT DO NOTHING;

-- Only what waits. Copied, because deleting most of a table leaves it as large as it was.
ALTER TABLE incoming_activities RENAME TO incoming_activities_before;
ALTER TABLE incoming_activities_before
  RENAME CONSTRAINT incoming_activities_pkey TO incoming_activities_before_pkey;

CREATE TABLE incoming_activities (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  uri text NOT NULL,
  actor_uri text NOT NULL,
  body text NOT NULL,                     -- JSON as received
  attempts smallint NOT NULL DEFAULT 0,
  claimed_until timestamptz,              -- until then a worker has claimed it
  retry_at timestamptz,                   -- it failed for now; later activities do not wait for it
  received_at timestamptz NOT NULL DEFAULT now(),
  -- What an activity in progress is about: later ones of the same actor about the same wait for it.
  subjects jsonb
);

INSERT INTO incoming_activities
SELECT id, uri, actor_uri, body, attempts, claimed_until, retry_at, received_at, subjects
FROM incoming_activities_before WHERE done_at IS NULL;

DROP TABLE incoming_activities_before;

-- The few in progress, for which others wait.
CREATE INDEX incoming_activities_in_hand ON incoming_activities (claimed_until)
  WHERE claimed_until IS NOT NULL;
CREATE INDEX incoming_activities_holding ON incoming_activities (actor_uri)
  WHERE subjects IS NOT NULL;
