-- Until when a host asked for a pause: a sign of life does not end that, as it ends the rest after failures.
ALTER TABLE remote_hosts ADD COLUMN paused_until timestamptz;
