-- Groups of notifications, and the policy that holds some of them back (docs/design/notifications.md).

-- group_key: of what is grouped, else null. filtered: held back by the recipient's policy.
ALTER TABLE notifications
  ADD COLUMN group_key text,
  ADD COLUMN filtered boolean NOT NULL DEFAULT false;

UPDATE notifications
SET group_key = concat_ws('-', type, status_id, floor(extract(epoch FROM created_at) / 43200)::bigint * 12)
WHERE type IN ('favourite', 'reblog', 'follow', 'admin.sign_up');

ALTER TABLE notifications ADD CONSTRAINT notifications_grouped
  CHECK ((group_key IS NOT NULL) = (type IN ('favourite', 'reblog', 'follow', 'admin.sign_up')));

DROP INDEX notifications_page;
CREATE INDEX notifications_page ON notifications (account_id, id DESC) WHERE NOT filtered;
CREATE INDEX notifications_of_type ON notifications (account_id, type, filtered, id DESC);
CREATE INDEX notifications_of_group ON notifications (account_id, group_key, id DESC)
  WHERE group_key IS NOT NULL;
CREATE INDEX notifications_filtered ON notifications (account_id, from_account_id, id DESC) WHERE filtered;

-- One row for each group that has notifications which are not filtered; kept by the triggers below.
CREATE TABLE notification_groups (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  group_key text NOT NULL,
  type text NOT NULL,
  status_id bigint,
  latest_id bigint NOT NULL,              -- of the newest notification
  count integer NOT NULL,
  PRIMARY KEY (account_id, group_key)
);
CREATE INDEX notification_groups_page ON notification_groups (account_id, type, latest_id DESC);

-- One row for each sender whose notifications are filtered; kept by the triggers below.
CREATE TABLE notification_requests (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  from_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  count integer NOT NULL,
  last_status_id bigint,                  -- of the sender
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (account_id, from_account_id)
);
CREATE INDEX notification_requests_page ON notification_requests (account_id, id DESC);
CREATE INDEX notification_requests_from ON notification_requests (from_account_id);

-- People without a row have the defaults.
CREATE TABLE notification_policies (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  for_not_following text NOT NULL DEFAULT 'accept',
  for_not_followers text NOT NULL DEFAULT 'accept',
  for_new_accounts text NOT NULL DEFAULT 'accept',
  for_private_mentions text NOT NULL DEFAULT 'filter',
  for_limited_accounts text NOT NULL DEFAULT 'filter',
  for_bots text NOT NULL DEFAULT 'accept'
);

-- Senders whom the policy does not apply to: their requests were accepted.
CREATE TABLE notification_permissions (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  from_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, from_account_id)
);
CREATE INDEX notification_permissions_from ON notification_permissions (from_account_id);

-- Triggers, because notifications also go with the statuses and accounts that they are about. Rows are
-- locked in one order.
CREATE FUNCTION notifications_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification_groups AS g (account_id, group_key, type, status_id, latest_id, count)
  SELECT account_id, group_key, min(type), min(status_id), max(id), count(*)
  FROM added WHERE group_key IS NOT NULL AND NOT filtered
  GROUP BY account_id, group_key ORDER BY account_id, group_key
  ON CONFLICT (account_id, group_key) DO UPDATE
    SET latest_id = greatest(g.latest_id, excluded.latest_id), count = g.count + excluded.count;
  INSERT INTO notification_requests AS q
    (account_id, from_account_id, count, last_status_id, created_at, updated_at)
  SELECT account_id, from_account_id, count(*),
    max(status_id) FILTER (WHERE type IN ('mention', 'status', 'quote')), min(created_at), max(created_at)
  FROM added WHERE filtered
  GROUP BY account_id, from_account_id ORDER BY account_id, from_account_id
  ON CONFLICT (account_id, from_account_id) DO UPDATE
    SET count = q.count + excluded.count,
      last_status_id = greatest(q.last_status_id, excluded.last_status_id),
      updated_at = greatest(q.updated_at, excluded.updated_at);
  RETURN NULL;
END
$$;

CREATE FUNCTION notifications_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In a statement of its own: the next one then sees what was committed while this one waited.
  PERFORM FROM notification_groups g
  WHERE (g.account_id, g.group_key) IN (SELECT account_id, group_key FROM gone WHERE NOT filtered)
  ORDER BY g.account_id, g.group_key FOR UPDATE;
  IF FOUND THEN
    UPDATE notification_groups g
    SET count = g.count - lost.count,
      latest_id = CASE WHEN lost.latest_id < g.latest_id THEN g.latest_id ELSE coalesce((
        SELECT n.id FROM notifications n
        WHERE n.account_id = g.account_id AND n.group_key = g.group_key AND NOT n.filtered
        ORDER BY n.id DESC LIMIT 1
      ), g.latest_id) END
    FROM (
      SELECT account_id, group_key, count(*)::integer AS count, max(id) AS latest_id
      FROM gone WHERE group_key IS NOT NULL AND NOT filtered GROUP BY account_id, group_key
    ) AS lost
    WHERE g.account_id = lost.account_id AND g.group_key = lost.group_key;
    DELETE FROM notification_groups g USING gone
    WHERE g.account_id = gone.account_id AND g.group_key = gone.group_key AND g.count <= 0;
  END IF;
  PERFORM FROM notification_requests q
  WHERE (q.account_id, q.from_account_id) IN (SELECT account_id, from_account_id FROM gone WHERE filtered)
  ORDER BY q.account_id, q.from_account_id FOR UPDATE;
  IF FOUND THEN
    UPDATE notification_requests q SET count = q.count - lost.count
    FROM (
      SELECT account_id, from_account_id, count(*)::integer AS count
      FROM gone WHERE filtered GROUP BY account_id, from_account_id
    ) AS lost
    WHERE q.account_id = lost.account_id AND q.from_account_id = lost.from_account_id;
    DELETE FROM notification_requests q USING gone
    WHERE q.account_id = gone.account_id AND q.from_account_id = gone.from_account_id AND q.count <= 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION notifications_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notification_groups;
  DELETE FROM notification_requests;
  RETURN NULL;
END
$$;

CREATE TRIGGER notifications_added AFTER INSERT ON notifications REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION notifications_added();
CREATE TRIGGER notifications_gone AFTER DELETE ON notifications REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION notifications_gone();
CREATE TRIGGER notifications_emptied AFTER TRUNCATE ON notifications
  FOR EACH STATEMENT EXECUTE FUNCTION notifications_emptied();
-- Of an update the old rows are gone first, then the new ones added: triggers run by name.
CREATE TRIGGER notifications_updated_1 AFTER UPDATE ON notifications REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION notifications_gone();
CREATE TRIGGER notifications_updated_2 AFTER UPDATE ON notifications REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION notifications_added();

INSERT INTO notification_groups (account_id, group_key, type, status_id, latest_id, count)
SELECT account_id, group_key, min(type), min(status_id), max(id), count(*)
FROM notifications WHERE group_key IS NOT NULL GROUP BY account_id, group_key;
