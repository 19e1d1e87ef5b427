-- Deliveries are a queue of our own, by host (docs/design/deliveries.md): however many wait for a host
-- that does not answer, the worker sees one row of remote_hosts, and only when that is due.

-- One activity to one inbox; deleted when it is done.
CREATE TABLE deliveries (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  host text NOT NULL,
  activity_id bigint NOT NULL,            -- of outgoing_activities, which may be gone
  inbox text NOT NULL,
  tries smallint NOT NULL DEFAULT 0,      -- attempts that failed
  -- Put off by itself, behind those that were not: they have the least value.
  retry_at timestamptz NOT NULL DEFAULT '-infinity'
);

CREATE INDEX deliveries_queue ON deliveries (host, retry_at, id);

-- Every host that something was sent to lately.
ALTER TABLE remote_hosts RENAME COLUMN retry_at TO due_at;
ALTER TABLE remote_hosts
  -- due_at: when the next delivery may be sent; null: nothing waits. With an owner, when its lease ends.
  ADD COLUMN owner uuid,                  -- the worker that sends to it now
  ADD COLUMN resting boolean NOT NULL DEFAULT false, -- it failed or asked for a pause: not before due_at
  ADD COLUMN added bigint NOT NULL DEFAULT 0, -- counts what is queued, so that a worker notices what is new
  ADD COLUMN latency_ms integer,          -- moving mean of how long an answer takes; null: unknown
  ADD COLUMN slow boolean NOT NULL DEFAULT false, -- it fails, or takes long to answer
  ADD COLUMN settled_at timestamptz NOT NULL DEFAULT now();

UPDATE remote_hosts SET due_at = NULL, slow = true;

CREATE INDEX remote_hosts_due ON remote_hosts (slow, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX remote_hosts_idle ON remote_hosts (settled_at) WHERE due_at IS NULL;
