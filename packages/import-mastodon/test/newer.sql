-- What versions after 4.3 add to the database, as far as it is known from their public schema, and a few rows of it.

ALTER TABLE accounts
  ADD COLUMN id_scheme integer DEFAULT 0, ADD COLUMN following_url varchar NOT NULL DEFAULT '',
  ADD COLUMN avatar_description varchar NOT NULL DEFAULT '', ADD COLUMN header_description varchar NOT NULL DEFAULT '',
  ADD COLUMN show_media boolean NOT NULL DEFAULT true, ADD COLUMN show_media_replies boolean NOT NULL DEFAULT true,
  ADD COLUMN show_featured boolean NOT NULL DEFAULT true, ADD COLUMN feature_approval_policy integer NOT NULL DEFAULT 0,
  ADD COLUMN collections_url varchar;
ALTER TABLE conversations ADD COLUMN parent_status_id bigint, ADD COLUMN parent_account_id bigint;
ALTER TABLE notification_policies ADD COLUMN for_bots integer NOT NULL DEFAULT 0;
ALTER TABLE preview_cards ADD COLUMN unverified_author_account_id bigint, ADD COLUMN missing_attribution boolean;
ALTER TABLE status_edits ADD COLUMN quote_id bigint;
ALTER TABLE status_stats ADD COLUMN quotes_count bigint NOT NULL DEFAULT 0,
  ADD COLUMN untrusted_favourites_count bigint, ADD COLUMN untrusted_reblogs_count bigint;
ALTER TABLE statuses ADD COLUMN quote_approval_policy integer NOT NULL DEFAULT 0, ADD COLUMN fetched_replies_at timestamp;
ALTER TABLE user_roles ADD COLUMN collection_limit integer NOT NULL DEFAULT 10,
  ADD COLUMN require_2fa boolean NOT NULL DEFAULT false;
ALTER TABLE users ADD COLUMN age_verified_at timestamp, ADD COLUMN require_tos_interstitial boolean NOT NULL DEFAULT false;
ALTER TABLE web_push_subscriptions ADD COLUMN standard boolean NOT NULL DEFAULT false;

CREATE TABLE quotes (
  id bigint PRIMARY KEY, account_id bigint NOT NULL, status_id bigint NOT NULL, quoted_status_id bigint,
  quoted_account_id bigint, state integer NOT NULL DEFAULT 0, approval_uri varchar, activity_uri varchar,
  legacy boolean NOT NULL DEFAULT false, created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now()
);
CREATE TABLE collections (
  id bigint PRIMARY KEY, account_id bigint NOT NULL, name varchar NOT NULL, description text NOT NULL DEFAULT '',
  description_html text, language varchar, tag_id bigint, sensitive boolean NOT NULL DEFAULT false,
  discoverable boolean NOT NULL DEFAULT true, local boolean NOT NULL, uri varchar, url varchar,
  item_count integer NOT NULL DEFAULT 0, original_number_of_items integer,
  created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now()
);
CREATE TABLE collection_items (
  id bigint PRIMARY KEY, collection_id bigint NOT NULL, account_id bigint, position integer NOT NULL DEFAULT 1,
  object_uri varchar, approval_uri varchar, activity_uri varchar, uri varchar, approval_last_verified_at timestamp,
  state integer NOT NULL DEFAULT 0, created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now()
);
CREATE TABLE collection_reports (
  id bigint PRIMARY KEY, collection_id bigint NOT NULL, report_id bigint NOT NULL
);
CREATE TABLE tagged_objects (
  id bigint PRIMARY KEY, status_id bigint NOT NULL, object_type varchar, object_id bigint, ap_type varchar NOT NULL, uri varchar
);
CREATE TABLE terms_of_services (
  id bigint PRIMARY KEY, text text NOT NULL DEFAULT '', changelog text NOT NULL DEFAULT '', published_at timestamp,
  effective_date date, notification_sent_at timestamp, created_at timestamp NOT NULL DEFAULT now(),
  updated_at timestamp NOT NULL DEFAULT now()
);
CREATE TABLE username_blocks (
  id bigint PRIMARY KEY, username varchar NOT NULL, normalized_username varchar NOT NULL, exact boolean NOT NULL DEFAULT false,
  allow_with_approval boolean NOT NULL DEFAULT false, created_at timestamp NOT NULL DEFAULT now(),
  updated_at timestamp NOT NULL DEFAULT now()
);
CREATE TABLE rule_translations (
  id bigint PRIMARY KEY, rule_id bigint NOT NULL, language varchar NOT NULL, text text NOT NULL DEFAULT '',
  hint text NOT NULL DEFAULT '', created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now()
);
CREATE TABLE instance_moderation_notes (
  id bigint PRIMARY KEY, domain varchar NOT NULL, account_id bigint NOT NULL, content text
);
CREATE TABLE keypairs (
  id bigint PRIMARY KEY, account_id bigint NOT NULL, uri varchar, type integer NOT NULL, public_key varchar NOT NULL,
  private_key varchar, expires_at timestamp, revoked boolean NOT NULL DEFAULT false, local_fragment varchar,
  created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now()
);
CREATE TABLE email_subscriptions (id bigint PRIMARY KEY, account_id bigint NOT NULL, email varchar NOT NULL);
CREATE TABLE tag_trends (id bigint PRIMARY KEY);
CREATE TABLE worker_batches (id bigint PRIMARY KEY);
CREATE TABLE annual_report_statuses_per_account_counts (id bigint PRIMARY KEY);
CREATE TABLE fasp_providers (id bigint PRIMARY KEY);
CREATE TABLE fasp_debug_callbacks (id bigint PRIMARY KEY);
CREATE TABLE fasp_subscriptions (id bigint PRIMARY KEY);
CREATE TABLE fasp_backfill_requests (id bigint PRIMARY KEY);
CREATE TABLE fasp_follow_recommendations (id bigint PRIMARY KEY);

-- alice describes her picture and hides the media of her answers; bob's friend elsewhere may be featured by followers.
UPDATE accounts SET avatar_description = 'me', show_media_replies = false WHERE username = 'alice' AND domain IS NULL;
UPDATE accounts SET feature_approval_policy = 4 << 16 | 2, collections_url = 'https://friend.test/users/bob/collections'
WHERE username = 'bob' AND domain = 'friend.test';

-- Everybody may quote the first post, followers at once and others after asking the second.
UPDATE statuses SET quote_approval_policy = 2 << 16 WHERE text = 'Hello world' AND local;
UPDATE statuses SET quote_approval_policy = 4 << 16 | 2 WHERE text = 'careful' AND local;

INSERT INTO statuses (id, uri, text, created_at, updated_at, visibility, local, account_id)
SELECT 118100000000000000 + n, 'https://old.test/users/' || a.username || '/statuses/' || 118100000000000000 + n,
  'quote ' || n, now(), now(), 0, true, a.id
FROM generate_series(1, 5) n, accounts a WHERE a.username = 'g2' AND a.domain IS NULL;

-- Accepted by alice; accepted elsewhere; asked for; taken back; of what is gone.
INSERT INTO quotes (id, account_id, status_id, quoted_status_id, quoted_account_id, state, approval_uri)
SELECT n, q.account_id, q.id, t.id, t.account_id, (ARRAY[1, 1, 0, 3, 1])[n], CASE n WHEN 2 THEN 'https://friend.test/approvals/2' END
FROM generate_series(1, 5) n
JOIN statuses q ON q.id = 118100000000000000 + n
LEFT JOIN statuses t ON CASE WHEN n IN (1, 4) THEN t.text = 'Hello world' AND t.local
  WHEN n IN (2, 3) THEN t.id = (SELECT max(id) FROM statuses WHERE NOT local AND visibility = 0 AND reblog_of_id IS NULL) END;
INSERT INTO status_stats (id, status_id, quotes_count, created_at, updated_at)
SELECT 800000, id, 1, now(), now() FROM statuses WHERE text = 'Hello world' AND local
ON CONFLICT (status_id) DO UPDATE SET quotes_count = 1;
INSERT INTO notifications (id, activity_id, activity_type, type, account_id, from_account_id, created_at, updated_at)
SELECT 800000, q.id, 'Quote', 'quote', q.quoted_account_id, q.account_id, now(), now() FROM quotes q WHERE q.id = 1;

INSERT INTO collections (id, account_id, name, description, language, tag_id, local)
SELECT 118200000000000001, id, 'Birds', 'who writes of them', 'en', (SELECT min(id) FROM tags), true
FROM accounts WHERE username = 'alice' AND domain IS NULL;
INSERT INTO collections (id, account_id, name, description_html, local, uri)
SELECT 118200000000000002, id, 'Theirs', '<p>of bob</p>', false, 'https://friend.test/collections/1'
FROM accounts WHERE username = 'bob' AND domain = 'friend.test';
INSERT INTO collection_items (id, collection_id, account_id, state, uri)
SELECT 118300000000000000 + row_number() OVER (ORDER BY username), 118200000000000001, id,
  CASE username WHEN 'g1' THEN 1 WHEN 'g2' THEN 0 ELSE 2 END, NULL
FROM accounts WHERE username IN ('g1', 'g2', 'g3') AND domain IS NULL;
INSERT INTO collection_items (id, collection_id, account_id, state, uri, object_uri)
SELECT 118300000000000009, 118200000000000002, id, 1, 'https://friend.test/items/1', 'https://old.test/users/g1'
FROM accounts WHERE username = 'g1' AND domain IS NULL;
INSERT INTO collection_reports VALUES (1, 118200000000000002, 1);

INSERT INTO terms_of_services (id, text, published_at, effective_date) VALUES
  (1, 'Be **kind**.', '2026-01-01', NULL), (2, 'Be kinder.', '2026-02-01', '2026-03-01'), (3, 'A draft', NULL, NULL);
INSERT INTO username_blocks (id, username, normalized_username, exact, allow_with_approval) VALUES
  (1, 'Council', 'councii', true, false), (2, 'spam', 'spam', false, false), (3, 'staff', 'staff', true, true);
INSERT INTO rule_translations (id, rule_id, language, text, hint) SELECT 1, min(id), 'de', 'Sei nett', 'immer' FROM rules;
INSERT INTO instance_moderation_notes VALUES (1, 'friend.test', 1, 'they are friends');
