-- Ids that apps read as whole numbers: of push subscriptions (32 bits in Java and Kotlin) and of the apps themselves
-- (`application_id` of scheduled posts). Those of apps begin above any that comes from a Mastodon that moves in.
CREATE SEQUENCE push_subscriptions_id_seq MAXVALUE 2147483647 CYCLE;
CREATE SEQUENCE oauth_apps_id_seq START 1000000000 MAXVALUE 2147483647;

ALTER TABLE oauth_apps ALTER COLUMN id SET DEFAULT nextval('oauth_apps_id_seq');
ALTER TABLE push_subscriptions ALTER COLUMN id SET DEFAULT nextval('push_subscriptions_id_seq');

-- Those that moved in from a Mastodon keep their small ids, the others follow them in their order.
SELECT setval('push_subscriptions_id_seq', max(id)) FROM push_subscriptions WHERE id <= 2147483647 HAVING max(id) > 0;

-- Messages that wait name the subscription by its id.
DO $$
BEGIN
  CREATE TEMPORARY TABLE numbered ON COMMIT DROP AS
  SELECT former, nextval('push_subscriptions_id_seq') AS id
  FROM (SELECT id AS former FROM push_subscriptions WHERE id > 2147483647 ORDER BY id) AS large;

  UPDATE push_subscriptions s SET id = n.id FROM numbered n WHERE s.id = n.former;

  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    UPDATE graphile_worker._private_jobs j
    SET payload = jsonb_set(j.payload::jsonb, '{subscriptionId}', to_jsonb(n.id::text))::json
    FROM graphile_worker._private_tasks t, numbered n
    WHERE t.id = j.task_id AND t.identifier = 'push.send' AND j.payload ->> 'subscriptionId' = n.former::text;
  END IF;
END
$$;
