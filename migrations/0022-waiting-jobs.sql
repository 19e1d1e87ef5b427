-- Moves waiting jobs of the previous version that are events now (0020-outbox.sql) into the outbox. All
-- steps of a status run again, which is harmless, because they are idempotent.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN
    RETURN;
  END IF;

  CREATE TEMPORARY TABLE waiting ON COMMIT DROP AS
  SELECT j.id, t.identifier, j.payload::jsonb AS payload
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE t.identifier IN (
    'status.created', 'status.removed', 'status.favourited', 'status.unfavourited', 'status.fan_out',
    'status.converse', 'status.notify', 'status.deliver', 'status.index', 'inbox.applied',
    'notification.created'
  );

  INSERT INTO outbox (type, payload)
  SELECT identifier, payload FROM waiting
  WHERE identifier IN
    ('status.created', 'status.removed', 'status.favourited', 'status.unfavourited')
  UNION ALL
  SELECT DISTINCT 'status.created', payload FROM waiting
  WHERE identifier IN
    ('status.fan_out', 'status.converse', 'status.notify', 'status.deliver', 'status.index')
  UNION ALL
  SELECT 'status.created', jsonb_build_object('id', status_id)
  FROM waiting, jsonb_array_elements_text(payload -> 'created') AS created (status_id)
  WHERE identifier = 'inbox.applied'
  UNION ALL
  SELECT 'status.' || kind, act
  FROM waiting, unnest(ARRAY['favourited', 'unfavourited', 'removed']) AS kind,
    jsonb_array_elements(payload -> kind) AS act
  WHERE identifier = 'inbox.applied'
  UNION ALL
  SELECT 'notification.created',
    jsonb_build_object('id', n.id::text, 'accountId', n.account_id::text)
  FROM waiting JOIN notifications n ON n.id = (payload ->> 'id')::bigint
  WHERE identifier = 'notification.created';

  DELETE FROM graphile_worker._private_jobs WHERE id IN (SELECT id FROM waiting);
END
$$;
