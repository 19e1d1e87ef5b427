-- Moves the deliveries that wait as jobs of the previous version into the queue (0029-deliveries.sql). All are due.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN
    RETURN;
  END IF;

  CREATE TEMPORARY TABLE waiting ON COMMIT DROP AS
  SELECT j.id, j.payload::jsonb AS payload
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE t.identifier = 'delivery';

  INSERT INTO deliveries (host, activity_id, inbox)
  SELECT lower(regexp_replace(
      substring(payload ->> 'inbox' FROM '^[a-z]+://([^/?#]+)'),
      CASE WHEN payload ->> 'inbox' LIKE 'https:%' THEN ':443$' ELSE ':80$' END, ''
    )), (payload ->> 'activityId')::bigint, payload ->> 'inbox'
  FROM waiting ORDER BY (payload ->> 'activityId')::bigint, id;

  INSERT INTO remote_hosts AS h (host, due_at) SELECT DISTINCT host, now() FROM deliveries
  ON CONFLICT (host) DO UPDATE SET due_at = excluded.due_at;

  DELETE FROM graphile_worker._private_jobs WHERE id IN (SELECT id FROM waiting);
END
$$;
