-- Notifications have small ids from a sequence, because apps read those of pushes and of groups as JSON numbers, which are
-- exact below 2^53. Rows keep their order. One transaction without the indexes that would be written row by row: readers
-- and writers of notifications wait for it, everything else goes on.
CREATE SEQUENCE notifications_id_seq MAXVALUE 9007199254740991;

DROP INDEX notifications_once;
DROP INDEX notifications_page;
DROP INDEX notifications_of_type;
DROP INDEX notifications_of_group;
DROP INDEX notifications_filtered;
DROP INDEX notifications_status;
DROP INDEX notifications_from_status;
ALTER TABLE notifications DISABLE TRIGGER USER;

-- former_id: the id that it had before, null for newer ones. Apps that keep ids still page and ask by it.
ALTER TABLE notifications ADD COLUMN former_id bigint;
ALTER TABLE notifications ALTER COLUMN id SET DEFAULT nextval('notifications_id_seq');

-- Those that moved in from a Mastodon keep their small ids, the others follow them.
SELECT setval('notifications_id_seq', max(id)) FROM notifications WHERE id < 9007199254740992 HAVING max(id) > 0;

UPDATE notifications n SET id = large.id, former_id = large.former
FROM (
  SELECT former, nextval('notifications_id_seq') AS id
  FROM (SELECT id AS former FROM notifications WHERE id >= 9007199254740992 ORDER BY id) AS sorted
) AS large
WHERE n.id = large.former;

ALTER TABLE notifications ENABLE TRIGGER USER;
CREATE UNIQUE INDEX notifications_once
  ON notifications (account_id, type, from_account_id, (coalesce(status_id, subject_id, 0)));
CREATE INDEX notifications_page ON notifications (account_id, id DESC) WHERE NOT filtered;
CREATE INDEX notifications_of_type ON notifications (account_id, type, filtered, id DESC);
CREATE INDEX notifications_of_group ON notifications (account_id, group_key, id DESC)
  WHERE group_key IS NOT NULL;
CREATE INDEX notifications_filtered ON notifications (account_id, from_account_id, id DESC) WHERE filtered;
CREATE INDEX notifications_status ON notifications (status_id) WHERE status_id IS NOT NULL;
CREATE INDEX notifications_from_status ON notifications (from_account_id, status_id);
CREATE INDEX notifications_former ON notifications (account_id, former_id) WHERE former_id IS NOT NULL;

UPDATE notification_groups g SET latest_id = n.latest_id
FROM (
  SELECT account_id, group_key, max(id) AS latest_id FROM notifications
  WHERE group_key IS NOT NULL AND NOT filtered GROUP BY account_id, group_key
) AS n
WHERE g.account_id = n.account_id AND g.group_key = n.group_key;

-- What says how far somebody read or cleared says it of the newest notification that there was until there.
UPDATE notification_clears c SET up_to = coalesce((
  SELECT n.id FROM notifications n WHERE n.account_id = c.account_id AND n.former_id <= c.up_to
  ORDER BY n.former_id DESC LIMIT 1
), 0)
WHERE c.up_to >= 9007199254740992;

UPDATE markers m SET last_read_id = coalesce((
  SELECT n.id FROM notifications n WHERE n.account_id = u.account_id AND n.former_id <= m.last_read_id
  ORDER BY n.former_id DESC LIMIT 1
), (
  SELECT max(n.id) FROM notifications n WHERE n.account_id = u.account_id AND n.former_id IS NULL
), 0)
FROM users u
WHERE u.id = m.user_id AND m.timeline = 'notifications' AND m.last_read_id >= 9007199254740992;

UPDATE outbox o SET payload = jsonb_set(o.payload, '{id}', to_jsonb(n.id::text))
FROM notifications n
WHERE o.type = 'notification.created' AND n.account_id = (o.payload ->> 'accountId')::bigint
  AND n.former_id = (o.payload ->> 'id')::bigint;

DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    UPDATE graphile_worker._private_jobs j
    SET payload = jsonb_set(j.payload::jsonb, '{notificationId}', to_jsonb(n.id::text))::json
    FROM graphile_worker._private_tasks t, notifications n
    WHERE t.id = j.task_id AND t.identifier IN ('push.send', 'mail.notification')
      AND n.former_id = (j.payload ->> 'notificationId')::bigint;
  END IF;
END
$$;

-- A process of the version before takes ids for times: to it, all these are old enough to be deleted.
CREATE FUNCTION notifications_by_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ids of notifications are no times any more: a process of an earlier version is still running';
END
$$;
CREATE TRIGGER notifications_by_time BEFORE DELETE ON notifications
  FOR EACH STATEMENT WHEN (current_query() ~ '"?notifications"? WHERE id < \$1 ORDER BY id')
  EXECUTE FUNCTION notifications_by_time();
