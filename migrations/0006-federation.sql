-- Incoming and outgoing activities, and what is known of remote servers.

-- Every accepted activity until it is processed; its id makes a repeated delivery harmless.
CREATE TABLE incoming_activities (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  uri text NOT NULL,
  actor_uri text NOT NULL,
  body text NOT NULL,                     -- JSON as received; emptied when done
  attempts smallint NOT NULL DEFAULT 0,
  claimed_until timestamptz,              -- until then a worker has claimed it
  retry_at timestamptz,                   -- it failed for now; later activities do not wait for it
  received_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);

CREATE UNIQUE INDEX incoming_activities_uri ON incoming_activities (actor_uri, uri);
-- Due activities, oldest first; and the few claimed ones, for which their actors' other activities wait.
CREATE INDEX incoming_activities_due ON incoming_activities (id) WHERE done_at IS NULL;
CREATE INDEX incoming_activities_in_hand ON incoming_activities (claimed_until)
  WHERE claimed_until IS NOT NULL;
CREATE INDEX incoming_activities_done ON incoming_activities (done_at) WHERE done_at IS NOT NULL;

-- The body of an activity is stored once, however many inboxes it goes to.
CREATE TABLE outgoing_activities (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint REFERENCES accounts (id) ON DELETE CASCADE, -- null: the server itself
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX outgoing_activities_account ON outgoing_activities (account_id);
CREATE INDEX outgoing_activities_created ON outgoing_activities (created_at);

-- Hosts that do not answer, so that deliveries to them do not slow down the others.
CREATE TABLE remote_hosts (
  host text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  retry_at timestamptz
);

-- Deleted objects and actors, also those that were deleted before this server knew them.
CREATE TABLE tombstones (
  uri text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Deletions of unknown objects, by actor, so that a Create that arrives later does nothing.
CREATE TABLE early_deletes (
  actor_uri text NOT NULL,
  uri text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (uri, actor_uri)
);

CREATE INDEX early_deletes_created ON early_deletes (created_at);
