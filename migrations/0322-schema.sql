-- The schema that these migrations made, which version 0.1.0 has:
-- 0001-accounts.sql
-- 0002-oauth.sql
-- 0003-relationships.sql
-- 0004-statuses.sql
-- 0005-notifications.sql
-- 0006-federation.sql
-- 0007-credentials.sql
-- 0008-settings-told.sql
-- 0009-lists-and-tags.sql
-- 0010-filters-and-conversations.sql
-- 0011-sign-in.sql
-- 0012-people.sql
-- 0013-community.sql
-- 0014-polls.sql
-- 0015-scheduled.sql
-- 0016-conversation-mutes.sql
-- 0017-quotes.sql
-- 0018-search-and-trends.sql
-- 0019-unfinished.sql
-- 0020-outbox.sql
-- 0021-inbox-order.sql
-- 0022-waiting-jobs.sql
-- 0023-retention.sql
-- 0024-smaller-indexes.sql
-- 0025-conversations.sql
-- 0026-account-keys.sql
-- 0027-outgoing-senders.sql
-- 0028-seen-activities.sql
-- 0029-deliveries.sql
-- 0030-waiting-deliveries.sql
-- 0031-early-deletes.sql
-- 0032-push.sql
-- 0033-notification-groups.sql
-- 0034-media.sql
-- 0035-avatars.sql
-- 0036-remote-files.sql
-- 0037-preview-cards.sql
-- 0038-own-emojis.sql
-- 0039-files-of-emojis-and-cards.sql
-- 0040-moderation.sql
-- 0041-admin-lists.sql
-- 0042-blocklists.sql
-- 0043-figures.sql
-- 0045-tag-order.sql
-- 0046-filled-accounts.sql
-- 0047-account-moves.sql
-- 0048-reactions.sql
-- 0049-digests.sql
-- 0050-leases.sql
-- 0055-notification-clears.sql
-- 0060-assertion-keys.sql
-- 0061-interaction-policy.sql
-- 0062-reactions-by-post.sql
-- 0065-imports.sql
-- 0066-cleanup.sql
-- 0067-unusable-tags.sql
-- 0068-archives.sql
-- 0069-domain-lists.sql
-- 0070-spam-rules.sql
-- 0071-spam-tried.sql
-- 0073-invites.sql
-- 0074-invited-users.sql
-- 0075-webhooks.sql
-- 0081-backups.sql
-- 0087-approvals.sql
-- 0088-peers.sql
-- 0090-reaction-pictures.sql
-- 0092-account-remarks.sql
-- 0095-sizes-of-uploads.sql
-- 0100-pauses-of-hosts.sql
-- 0104-further-reactions.sql
-- 0108-site.sql
-- 0109-scheduled-faults.sql
-- 0112-follower-digests.sql
-- 0116-unlisted-activity.sql
-- 0120-collections-elsewhere.sql
-- 0140-web-client.sql
-- 0141-words-with-apostrophes.sql
-- 0144-push-of-sessions.sql
-- 0166-outbox-times.sql
-- 0170-small-avatars.sql
-- 0171-avatars-without-small.sql
-- 0180-no-default-audience.sql
-- 0190-audit-of-commands.sql
-- 0200-restore-drills.sql
-- 0210-moving.sql
-- 0216-stopped-deliveries.sql
-- 0217-servers.sql
-- 0218-findings.sql
-- 0219-staff-digest.sql
-- 0220-report-decisions.sql
-- 0221-agreed-terms.sql
-- 0231-imports-left-out.sql
-- 0240-former-names.sql
-- 0241-domain-moves.sql
-- 0280-posts-that-stay-here.sql
-- 0290-stems.sql
-- 0291-saved-searches.sql
-- 0292-wildcards.sql
-- 0293-links-in-search.sql
-- 0294-bios.sql
-- 0295-bodies-that-wait.sql
-- 0310-circles.sql
-- 0315-markdown.sql
-- 0316-longer-posts.sql
-- 0317-fewer-posts.sql
-- 0318-muted-tags.sql
-- 0319-options-of-lost-follows.sql
-- 0320-posts-that-end.sql
-- 0321-posts-that-end.sql
-- 0322-drafts.sql

SET LOCAL check_function_bodies = off;

CREATE EXTENSION IF NOT EXISTS citext;

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE OR REPLACE FUNCTION public.account_changes_digests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  targets bigint[] := (SELECT array_agg(target_account_id) FROM follows WHERE account_id = OLD.id);
BEGIN
  IF targets IS NOT NULL AND OLD.suspended_at IS NULL THEN
    PERFORM remove_follower_digests(targets, array_fill(OLD.uri, ARRAY[cardinality(targets)]));
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  IF targets IS NOT NULL AND NEW.suspended_at IS NULL THEN
    PERFORM add_follower_digests(targets, array_fill(NEW.uri, ARRAY[cardinality(targets)]));
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.account_pictures_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO files_to_delete (key)
  SELECT DISTINCT key
  FROM unnest(ARRAY[
    OLD.avatar_key, OLD.avatar_static_key, OLD.avatar_small_key, OLD.header_key, OLD.header_static_key
  ]) AS key
  WHERE key IS NOT NULL AND (TG_OP = 'DELETE' OR key NOT IN (
    coalesce(NEW.avatar_key, ''), coalesce(NEW.avatar_static_key, ''), coalesce(NEW.avatar_small_key, ''),
    coalesce(NEW.header_key, ''), coalesce(NEW.header_static_key, '')
  ))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.add_follower_digests(targets bigint[], uris text[])
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO follower_digests AS d (account_id, origin, digest, followers)
  SELECT target, uri_origin(uri), bit_xor(uri_digest(uri)), count(*)
  FROM unnest(targets, uris) AS f (target, uri)
  WHERE uri_origin(uri) IS NOT NULL
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account_id, origin) DO UPDATE SET
    digest = d.digest # excluded.digest, followers = d.followers + excluded.followers
$function$;

CREATE OR REPLACE FUNCTION public.archive_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO files_to_delete (key) SELECT file_key FROM gone WHERE file_key IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.card_file_unused()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO files_to_delete (key) VALUES (OLD.image_key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.conversations_shrink()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Most statuses are in no conversation, and each that is deleted comes by here.
  IF NOT EXISTS (SELECT FROM gone) THEN
    RETURN NULL;
  END IF;
  UPDATE account_conversations c SET last_status_id = rest.last
  FROM (
    SELECT s.account_conversation_id AS id, max(s.status_id) AS last
    FROM account_conversation_statuses s
    WHERE s.account_conversation_id IN (SELECT account_conversation_id FROM gone)
    GROUP BY 1
  ) rest
  WHERE c.id = rest.id;
  DELETE FROM account_conversations c
  WHERE c.id IN (SELECT account_conversation_id FROM gone)
    AND NOT EXISTS (
      SELECT FROM account_conversation_statuses s WHERE s.account_conversation_id = c.id
    );
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.emoji_files_unused()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO files_to_delete (key)
  SELECT DISTINCT key FROM unnest(ARRAY[OLD.file_key, OLD.static_key]) AS key
  WHERE TG_OP = 'DELETE' OR key NOT IN (NEW.file_key, NEW.static_key)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.emojis_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NOTIFY emojis;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.end_endorsement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM endorsements
  WHERE account_id = OLD.account_id AND target_account_id = OLD.target_account_id;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.follow_is_local()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.local := (SELECT domain IS NULL FROM accounts WHERE id = NEW.account_id);
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION public.follows_change_digests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  targets bigint[];
  uris text[];
BEGIN
  WITH elsewhere AS MATERIALIZED (
    SELECT f.target_account_id AS target, a.uri FROM changed f JOIN accounts a ON a.id = f.account_id
    WHERE NOT f.local AND a.suspended_at IS NULL
    ORDER BY a.id FOR SHARE OF a
  )
  SELECT array_agg(target), array_agg(uri) INTO targets, uris FROM elsewhere;
  IF targets IS NULL THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN PERFORM add_follower_digests(targets, uris);
  ELSE PERFORM remove_follower_digests(targets, uris);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.leave_lists()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM list_accounts
  WHERE owner_id = OLD.account_id AND account_id = OLD.target_account_id
    AND NOT EXISTS (SELECT FROM follows f
      WHERE f.account_id = OLD.account_id AND f.target_account_id = OLD.target_account_id)
    AND NOT EXISTS (SELECT FROM follow_requests r
      WHERE r.account_id = OLD.account_id AND r.target_account_id = OLD.target_account_id);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.media_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO files_to_delete (key)
  SELECT key FROM gone, unnest(ARRAY[file_key, small_key]) AS key WHERE key IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.notifications_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.notifications_emptied()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM notification_groups;
  DELETE FROM notification_requests;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.notifications_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.open_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  by_author tsquery := quote_literal('=from:' || NEW.id)::tsquery;
BEGIN
  IF NEW.indexable THEN
    UPDATE status_search i SET open = true, words = i.words || array_to_tsvector('{=open}')
    FROM statuses s
    WHERE i.words @@ by_author AND NOT i.open
      AND s.id = i.status_id AND s.visibility = 'public';
    INSERT INTO search_backlog (account_id) VALUES (NEW.id)
      ON CONFLICT (account_id) DO UPDATE SET before_id = excluded.before_id;
  ELSE
    UPDATE status_search SET open = false, words = ts_delete(words, '=open')
    WHERE words @@ by_author AND open;
    DELETE FROM search_backlog WHERE account_id = NEW.id;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.remote_files_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO files_to_delete (key) SELECT key FROM gone WHERE key IS NOT NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.remove_follower_digests(targets bigint[], uris text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM follower_digests d
  WHERE (d.account_id, d.origin) IN (
    SELECT f.target, uri_origin(f.uri) FROM unnest(targets, uris) AS f (target, uri)
  )
  ORDER BY d.account_id, d.origin FOR UPDATE;
  UPDATE follower_digests d SET digest = d.digest # gone.digest, followers = d.followers - gone.followers
  FROM (
    SELECT target, uri_origin(uri) AS origin, bit_xor(uri_digest(uri)) AS digest, count(*) AS followers
    FROM unnest(targets, uris) AS f (target, uri) GROUP BY 1, 2
  ) AS gone
  WHERE d.account_id = gone.target AND d.origin = gone.origin;
  DELETE FROM follower_digests d
  WHERE d.account_id = ANY(targets) AND d.followers <= 0
    AND d.origin = ANY(SELECT uri_origin(uri) FROM unnest(uris) AS uri);
END
$function$;

CREATE OR REPLACE FUNCTION public.snowflake(at timestamp with time zone DEFAULT clock_timestamp())
 RETURNS bigint
 LANGUAGE sql
AS $function$
  SELECT (floor(extract(epoch FROM at) * 1000)::bigint << 16) | nextval('snowflake_seq')
$function$;

CREATE OR REPLACE FUNCTION public.status_id(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  millisecond bigint := floor(extract(epoch FROM at) * 1000)::bigint;
  found bigint;
BEGIN
  FOR tries IN 1..65536 LOOP
    found := (millisecond << 16) | nextval('status_id_seq');
    IF NOT EXISTS (SELECT FROM statuses WHERE id = found) THEN
      RETURN found;
    END IF;
    IF tries % 64 = 0 THEN
      millisecond := millisecond + 1;
    END IF;
  END LOOP;
  RAISE EXCEPTION 'no free id for a status of %', at;
END
$function$;

CREATE OR REPLACE FUNCTION public.tag_mutes_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NOTIFY tag_mutes;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.tell_credentials()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('credentials', TG_ARGV[0] || ':' || OLD.id);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.tell_settings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NOTIFY settings;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.uri_digest(uri text)
 RETURNS bit
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT ('x' || encode(sha256(convert_to(uri, 'UTF8')), 'hex'))::bit(256) $function$;

CREATE OR REPLACE FUNCTION public.uri_key(text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (md5($1))::uuid;

CREATE OR REPLACE FUNCTION public.uri_origin(uri text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT substring(uri FROM '^https?://[^/?#]+') $function$;

-- 64-bit ids: milliseconds << 16 | a cyclic sequence. Made in the database, so that several processes
-- never collide. Remote records pass their own time instead of now.
CREATE SEQUENCE snowflake_seq AS bigint MINVALUE 0 MAXVALUE 65535 START 0 CYCLE;

-- The id of a remote status comes from its `published`, and many are of the same second. So statuses have
-- a sequence of their own, and where an id is taken the next free one is used: after 64 attempts in one
-- millisecond that of the next millisecond.
CREATE SEQUENCE status_id_seq AS bigint MINVALUE 0 MAXVALUE 65535 START 0 CYCLE;

CREATE TABLE account_conversation_statuses (
  account_conversation_id bigint NOT NULL,
  status_id bigint NOT NULL,
  CONSTRAINT account_conversation_statuses_pkey PRIMARY KEY (account_conversation_id, status_id)
);
CREATE INDEX account_conversation_statuses_status ON account_conversation_statuses USING btree (status_id);
CREATE TRIGGER account_conversation_statuses_gone AFTER DELETE ON account_conversation_statuses REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION conversations_shrink();

-- One per person, thread and set of other participants.
CREATE TABLE account_conversations (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  conversation_id bigint NOT NULL,
  participant_ids bigint[] NOT NULL,
  last_status_id bigint NOT NULL,
  unread boolean DEFAULT false NOT NULL,
  CONSTRAINT account_conversations_pkey PRIMARY KEY (id)
);
-- By a hash: hundreds of participants do not fit into an index entry.
CREATE UNIQUE INDEX account_conversations_once ON account_conversations USING btree (account_id, conversation_id, hash_array_extended(participant_ids, 0::bigint));
CREATE INDEX account_conversations_page ON account_conversations USING btree (account_id, last_status_id);

-- Suspended accounts whose data is to be deleted.
CREATE TABLE account_deletions (
  account_id bigint NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT account_deletions_pkey PRIMARY KEY (account_id)
);
CREATE INDEX account_deletions_due ON account_deletions USING btree (due_at);

CREATE TABLE account_domain_blocks (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  domain text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT account_domain_blocks_account_id_domain_key UNIQUE (account_id, domain),
  CONSTRAINT account_domain_blocks_pkey PRIMARY KEY (id)
);
CREATE INDEX account_domain_blocks_page ON account_domain_blocks USING btree (account_id, id);

CREATE TABLE account_keys (
  account_id bigint NOT NULL,
  private_key text NOT NULL,
  CONSTRAINT account_keys_pkey PRIMARY KEY (account_id)
);

-- Where accounts moved, here and elsewhere: one cannot move again for a while.
CREATE TABLE account_moves (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT account_moves_pkey PRIMARY KEY (id)
);
CREATE INDEX account_moves_account ON account_moves USING btree (account_id, created_at DESC);
CREATE INDEX account_moves_target ON account_moves USING btree (target_account_id);

-- Private: only the author sees a note.
CREATE TABLE account_notes (
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  comment text NOT NULL,
  CONSTRAINT account_notes_pkey PRIMARY KEY (account_id, target_account_id)
);
CREATE INDEX account_notes_target ON account_notes USING btree (target_account_id);

-- What moderators write about an account for each other (docs/design/staff.md).
CREATE TABLE account_remarks (
  id bigint DEFAULT snowflake() NOT NULL,
  target_account_id bigint NOT NULL,
  account_id bigint,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT account_remarks_pkey PRIMARY KEY (id)
);
CREATE INDEX account_remarks_account ON account_remarks USING btree (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX account_remarks_target ON account_remarks USING btree (target_account_id, id DESC);

-- Counts have a table of their own, so that counting does not rewrite the wide rows.
CREATE TABLE account_stats (
  account_id bigint NOT NULL,
  statuses_count bigint DEFAULT 0 NOT NULL,
  followers_count bigint DEFAULT 0 NOT NULL,
  following_count bigint DEFAULT 0 NOT NULL,
  last_status_at timestamp with time zone,
  last_status_on date GENERATED ALWAYS AS ((last_status_at AT TIME ZONE 'UTC'::text)::date) STORED,
  CONSTRAINT account_stats_pkey PRIMARY KEY (account_id)
) WITH (fillfactor=70);
CREATE INDEX account_stats_active ON account_stats USING btree (last_status_on DESC NULLS LAST);
-- Suggestions: the accounts with most followers.
CREATE INDEX account_stats_followed ON account_stats USING btree (followers_count DESC) WHERE followers_count > 0;

CREATE TABLE accounts (
  id bigint DEFAULT snowflake() NOT NULL,
  username citext NOT NULL,
  domain citext,
  uri text NOT NULL,
  url text NOT NULL,
  actor_type text DEFAULT 'Person'::text NOT NULL,
  display_name text DEFAULT ''::text NOT NULL,
  note text DEFAULT ''::text NOT NULL,
  note_html text DEFAULT ''::text NOT NULL,
  fields jsonb DEFAULT '[]'::jsonb NOT NULL,
  emojis jsonb DEFAULT '[]'::jsonb NOT NULL,
  avatar_url text,
  header_url text,
  avatar_description text DEFAULT ''::text NOT NULL,
  header_description text DEFAULT ''::text NOT NULL,
  locked boolean DEFAULT false NOT NULL,
  discoverable boolean,
  indexable boolean DEFAULT false NOT NULL,
  hide_collections boolean,
  memorial boolean DEFAULT false NOT NULL,
  also_known_as text[] DEFAULT '{}'::text[] NOT NULL,
  moved_to_account_id bigint,
  attribution_domains text[] DEFAULT '{}'::text[] NOT NULL,
  inbox_url text DEFAULT ''::text NOT NULL,
  shared_inbox_url text,
  outbox_url text,
  followers_url text,
  following_url text,
  featured_url text,
  key_id text,
  public_key text DEFAULT ''::text NOT NULL,
  suspended_at timestamp with time zone,
  suspended_remotely boolean DEFAULT false NOT NULL,
  silenced_at timestamp with time zone,
  fetched_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  -- The URL of a remote actor's featured tags.
  featured_tags_url text,
  show_media boolean DEFAULT true NOT NULL,
  show_media_replies boolean DEFAULT true NOT NULL,
  show_featured boolean DEFAULT true NOT NULL,
  links_checked_at timestamp with time zone,
  trendable boolean,
  reviewed_at timestamp with time zone,
  requested_review_at timestamp with time zone,
  avatar_key text,
  avatar_static_key text,
  header_key text,
  header_static_key text,
  sensitized_at timestamp with time zone,
  -- By a block of the domain, with which it ends.
  suspended_with_domain boolean DEFAULT false NOT NULL,
  silenced_with_domain boolean DEFAULT false NOT NULL,
  -- When the totals, pins and recent posts of a remote account were read from its server.
  filled_at timestamp with time zone,
  -- Who may feature a remote account, as bits (domain/accounts/policy-bits.ts); null: its server says nothing.
  feature_policy smallint,
  featured_collections_url text,
  -- A still avatar of the size that lists show. Where none could be made it is the larger one.
  avatar_small_key text,
  CONSTRAINT accounts_pkey PRIMARY KEY (id)
);
-- Words in what people who want to be discovered write about themselves (domain/accounts/queries-bios.ts), without its HTML.
CREATE INDEX accounts_bio ON accounts USING gin (regexp_replace(note_html, '<[^<>]*>'::text, ' '::text, 'g'::text) gin_trgm_ops) WHERE discoverable AND suspended_at IS NULL AND note_html <> ''::text;
-- The directory, newest first: all accounts, and local ones.
CREATE INDEX accounts_discoverable ON accounts USING btree (id DESC) WHERE discoverable AND suspended_at IS NULL;
CREATE INDEX accounts_discoverable_here ON accounts USING btree (id DESC) WHERE discoverable AND suspended_at IS NULL AND domain IS NULL;
CREATE INDEX accounts_display_name_prefix ON accounts USING btree ("left"(lower(display_name), 100) COLLATE "C") WHERE display_name <> ''::text;
-- Domains by prefix, whatever the database's collation is.
CREATE INDEX accounts_domain_prefix ON accounts USING btree (lower(domain::text) COLLATE "C") WHERE domain IS NOT NULL;
CREATE UNIQUE INDEX accounts_handle ON accounts USING btree (username, COALESCE(domain, ''::citext));
CREATE INDEX accounts_key_id ON accounts USING btree (key_id) WHERE key_id IS NOT NULL;
-- The lists of moderators, each by an index, however many accounts and reports there are.
CREATE INDEX accounts_local ON accounts USING btree (id DESC) WHERE domain IS NULL;
CREATE INDEX accounts_moved ON accounts USING btree (moved_to_account_id) WHERE moved_to_account_id IS NOT NULL;
CREATE INDEX accounts_of_domain ON accounts USING btree (domain, id DESC) WHERE domain IS NOT NULL;
CREATE INDEX accounts_search ON accounts USING gin (((username::text || ' '::text) || display_name) gin_trgm_ops);
CREATE INDEX accounts_sensitized ON accounts USING btree (id DESC) WHERE sensitized_at IS NOT NULL;
CREATE INDEX accounts_silenced ON accounts USING btree (id DESC) WHERE silenced_at IS NOT NULL;
CREATE INDEX accounts_suspended ON accounts USING btree (id DESC) WHERE suspended_at IS NOT NULL;
CREATE UNIQUE INDEX accounts_uri ON accounts USING btree (uri);
CREATE INDEX accounts_url ON accounts USING btree (url);
CREATE INDEX accounts_username_prefix ON accounts USING btree (lower(username::text) COLLATE "C");
-- Those that were stored before there were small ones.
CREATE INDEX accounts_without_small_avatar ON accounts USING btree (id) WHERE avatar_key IS NOT NULL AND avatar_small_key IS NULL;
CREATE TRIGGER account_pictures_changed AFTER UPDATE ON accounts FOR EACH ROW WHEN (old.avatar_key IS DISTINCT FROM new.avatar_key OR old.avatar_static_key IS DISTINCT FROM new.avatar_static_key OR old.avatar_small_key IS DISTINCT FROM new.avatar_small_key OR old.header_key IS DISTINCT FROM new.header_key OR old.header_static_key IS DISTINCT FROM new.header_static_key) EXECUTE FUNCTION account_pictures_changed();
CREATE TRIGGER account_pictures_deleted AFTER DELETE ON accounts FOR EACH ROW WHEN (old.avatar_key IS NOT NULL OR old.header_key IS NOT NULL) EXECUTE FUNCTION account_pictures_changed();
CREATE TRIGGER accounts_change_digests AFTER UPDATE OF suspended_at, uri ON accounts FOR EACH ROW WHEN (old.domain IS NOT NULL AND ((old.suspended_at IS NULL) <> (new.suspended_at IS NULL) OR old.uri <> new.uri)) EXECUTE FUNCTION account_changes_digests();
CREATE TRIGGER accounts_credentials AFTER UPDATE OF username, suspended_at, moved_to_account_id ON accounts FOR EACH ROW WHEN (old.domain IS NULL AND (old.username IS DISTINCT FROM new.username OR old.suspended_at IS DISTINCT FROM new.suspended_at OR old.moved_to_account_id IS DISTINCT FROM new.moved_to_account_id)) EXECUTE FUNCTION tell_credentials('account');
-- Before, because afterwards nobody knows the address of the follower whose follows go with the account.
CREATE TRIGGER accounts_leave_digests BEFORE DELETE ON accounts FOR EACH ROW WHEN (old.domain IS NOT NULL) EXECUTE FUNCTION account_changes_digests();
CREATE TRIGGER accounts_open_search AFTER UPDATE OF indexable ON accounts FOR EACH ROW WHEN (old.indexable <> new.indexable) EXECUTE FUNCTION open_search();

CREATE TABLE announcement_dismissals (
  account_id bigint NOT NULL,
  announcement_id bigint NOT NULL,
  CONSTRAINT announcement_dismissals_pkey PRIMARY KEY (account_id, announcement_id)
);
CREATE INDEX announcement_dismissals_announcement ON announcement_dismissals USING btree (announcement_id);

CREATE TABLE announcement_reactions (
  id bigint DEFAULT snowflake() NOT NULL,
  announcement_id bigint NOT NULL,
  account_id bigint NOT NULL,
  name text NOT NULL,
  CONSTRAINT announcement_reactions_announcement_id_account_id_name_key UNIQUE (announcement_id, account_id, name),
  CONSTRAINT announcement_reactions_pkey PRIMARY KEY (id)
);
CREATE INDEX announcement_reactions_account ON announcement_reactions USING btree (account_id);
CREATE INDEX announcement_reactions_name ON announcement_reactions USING btree (announcement_id, name);

CREATE TABLE announcements (
  id bigint DEFAULT snowflake() NOT NULL,
  text text NOT NULL,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  all_day boolean DEFAULT false NOT NULL,
  scheduled_at timestamp with time zone,
  published_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT announcements_pkey PRIMARY KEY (id)
);

CREATE TABLE annual_reports (
  account_id bigint NOT NULL,
  year integer NOT NULL,
  data jsonb NOT NULL,
  schema_version integer NOT NULL,
  read_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT annual_reports_pkey PRIMARY KEY (account_id, year)
);

CREATE TABLE appeals (
  strike_id bigint NOT NULL,
  text text NOT NULL,
  decided_at timestamp with time zone,
  approved boolean,
  decided_by_account_id bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT appeals_pkey PRIMARY KEY (strike_id)
);
CREATE INDEX appeals_decided_by ON appeals USING btree (decided_by_account_id) WHERE decided_by_account_id IS NOT NULL;
CREATE INDEX appeals_pending ON appeals USING btree (strike_id) WHERE decided_at IS NULL;

-- Archives of all that a person wrote, made on request and removed after a week.
CREATE TABLE archives (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  state text DEFAULT 'waiting'::text NOT NULL,
  file_key text,
  bytes bigint,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT archives_pkey PRIMARY KEY (id),
  CONSTRAINT archives_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text]))
);
CREATE INDEX archives_account ON archives USING btree (account_id, created_at DESC);
CREATE INDEX archives_created ON archives USING btree (created_at);
CREATE TRIGGER archive_deleted AFTER DELETE ON archives REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION archive_deleted();

-- Keys of Ed25519 that actors of other servers sign with beside their RSA key (FEP-521a).
CREATE TABLE assertion_keys (
  account_id bigint NOT NULL,
  key_id text NOT NULL,
  public_key text NOT NULL,
  CONSTRAINT assertion_keys_pkey PRIMARY KEY (account_id, key_id)
);
CREATE INDEX assertion_keys_key_id ON assertion_keys USING btree (key_id);

-- Who did what as staff. Nothing refers to it, so that it outlives what it is about.
CREATE TABLE audit_log (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint,
  action text NOT NULL,
  target_type text,
  target_id bigint,
  target_label text DEFAULT ''::text NOT NULL,
  details jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_account ON audit_log USING btree (account_id, id DESC);
CREATE INDEX audit_log_action ON audit_log USING btree (action, id DESC);
CREATE INDEX audit_log_target ON audit_log USING btree (target_type, target_id, id DESC);

-- How the last backups went: for the one that is due next, and for whoever asks whether there are any.
CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone NOT NULL,
  place text NOT NULL,
  bytes double precision NOT NULL,
  files integer NOT NULL,
  -- null: it succeeded
  fault text,
  CONSTRAINT backups_pkey PRIMARY KEY (id)
);

CREATE TABLE blocks (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  uri text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT blocks_account_id_target_account_id_key UNIQUE (account_id, target_account_id),
  CONSTRAINT blocks_pkey PRIMARY KEY (id)
);
CREATE INDEX blocks_account ON blocks USING btree (account_id, id);
CREATE INDEX blocks_target ON blocks USING btree (target_account_id);

CREATE TABLE bookmarks (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  status_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT bookmarks_account_id_status_id_key UNIQUE (account_id, status_id),
  CONSTRAINT bookmarks_pkey PRIMARY KEY (id)
);
CREATE INDEX bookmarks_account ON bookmarks USING btree (account_id, id);
CREATE INDEX bookmarks_status ON bookmarks USING btree (status_id);

-- Addresses without the parts that one mailbox can have many of; only the hash.
CREATE TABLE canonical_email_blocks (
  id bigint DEFAULT snowflake() NOT NULL,
  canonical_email_hash text NOT NULL,
  account_id bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT canonical_email_blocks_canonical_email_hash_key UNIQUE (canonical_email_hash),
  CONSTRAINT canonical_email_blocks_pkey PRIMARY KEY (id)
);

-- Which of their own old posts people let the server delete.
CREATE TABLE cleanup_policies (
  account_id bigint NOT NULL,
  min_days integer NOT NULL,
  keep_pinned boolean NOT NULL,
  keep_favourited boolean NOT NULL,
  keep_bookmarked boolean NOT NULL,
  keep_direct boolean NOT NULL,
  keep_polls boolean NOT NULL,
  keep_media boolean NOT NULL,
  -- null: their number does not matter.
  min_favourites integer,
  min_reblogs integer,
  -- Everything up to this one was looked at in this pass.
  checked_id bigint DEFAULT 0 NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT cleanup_policies_pkey PRIMARY KEY (account_id),
  CONSTRAINT cleanup_policies_min_days_check CHECK (min_days > 0)
);
CREATE INDEX cleanup_policies_due ON cleanup_policies USING btree (due_at);

CREATE TABLE collection_items (
  id bigint DEFAULT snowflake() NOT NULL,
  collection_id bigint NOT NULL,
  account_id bigint,
  state text DEFAULT 'accepted'::text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  uri text,
  object_uri text,
  approval_uri text,
  CONSTRAINT collection_items_collection_id_account_id_key UNIQUE (collection_id, account_id),
  CONSTRAINT collection_items_pkey PRIMARY KEY (id),
  CONSTRAINT collection_items_state_check CHECK (state = ANY (ARRAY['pending'::text, 'accepted'::text, 'revoked'::text]))
);
CREATE INDEX collection_items_account ON collection_items USING btree (account_id, collection_id);
CREATE INDEX collection_items_approval ON collection_items USING btree (approval_uri) WHERE approval_uri IS NOT NULL;
CREATE UNIQUE INDEX collection_items_uri ON collection_items USING btree (uri) WHERE uri IS NOT NULL;

CREATE TABLE collections (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  language text,
  tag_name text,
  tag_display text,
  sensitive boolean DEFAULT false NOT NULL,
  discoverable boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  uri text,
  url text,
  fetched_at timestamp with time zone,
  CONSTRAINT collections_pkey PRIMARY KEY (id)
);
CREATE INDEX collections_account ON collections USING btree (account_id, id);
CREATE UNIQUE INDEX collections_uri ON collections USING btree (uri) WHERE uri IS NOT NULL;
CREATE INDEX collections_url ON collections USING btree (url) WHERE url IS NOT NULL;

CREATE TABLE conversation_mutes (
  account_id bigint NOT NULL,
  conversation_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT conversation_mutes_pkey PRIMARY KEY (account_id, conversation_id)
);

CREATE TABLE conversations (
  id bigint DEFAULT snowflake() NOT NULL,
  uri text NOT NULL,
  CONSTRAINT conversations_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX conversations_uri_key ON conversations USING btree (uri_key(uri));

-- End-to-end encryption: a device belongs to one access token.
CREATE TABLE crypto_devices (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  token_id bigint NOT NULL,
  device_id text NOT NULL,
  name text NOT NULL,
  fingerprint_key text NOT NULL,
  identity_key text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT crypto_devices_account_id_device_id_key UNIQUE (account_id, device_id),
  CONSTRAINT crypto_devices_token_id_key UNIQUE (token_id),
  CONSTRAINT crypto_devices_pkey PRIMARY KEY (id)
);

CREATE TABLE crypto_messages (
  id bigint DEFAULT snowflake() NOT NULL,
  device_id bigint NOT NULL,
  from_account_id bigint NOT NULL,
  from_device_id text NOT NULL,
  type integer NOT NULL,
  body text NOT NULL,
  digest text NOT NULL,
  message_franking text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT crypto_messages_pkey PRIMARY KEY (id)
);
CREATE INDEX crypto_messages_device ON crypto_messages USING btree (device_id, id);
CREATE INDEX crypto_messages_from ON crypto_messages USING btree (from_account_id);

CREATE TABLE crypto_one_time_keys (
  id bigint DEFAULT snowflake() NOT NULL,
  device_id bigint NOT NULL,
  key_id text NOT NULL,
  key text NOT NULL,
  signature text NOT NULL,
  CONSTRAINT crypto_one_time_keys_device_id_key_id_key UNIQUE (device_id, key_id),
  CONSTRAINT crypto_one_time_keys_pkey PRIMARY KEY (id)
);

-- The server's own emojis.
CREATE TABLE custom_emojis (
  id bigint DEFAULT snowflake() NOT NULL,
  shortcode text NOT NULL,
  category text,
  visible_in_picker boolean DEFAULT true NOT NULL,
  disabled boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  file_key text NOT NULL,
  static_key text NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT custom_emojis_shortcode_key UNIQUE (shortcode),
  CONSTRAINT custom_emojis_pkey PRIMARY KEY (id)
);
CREATE TRIGGER emoji_files_unused AFTER DELETE OR UPDATE OF file_key, static_key ON custom_emojis FOR EACH ROW EXECUTE FUNCTION emoji_files_unused();
-- Servers cache them, and the posts and profiles that they are in.
CREATE TRIGGER emojis_changed AFTER INSERT OR DELETE OR UPDATE ON custom_emojis FOR EACH STATEMENT EXECUTE FUNCTION emojis_changed();

-- Figures of days that are over, counted once; those of people who were active are counted as they come.
CREATE TABLE daily_figures (
  key text NOT NULL,
  day date NOT NULL,
  value bigint DEFAULT 0 NOT NULL,
  CONSTRAINT daily_figures_pkey PRIMARY KEY (key, day)
) WITH (fillfactor=70);

-- One activity to one inbox; deleted when it is done.
CREATE TABLE deliveries (
  id bigint DEFAULT snowflake() NOT NULL,
  host text NOT NULL,
  activity_id bigint NOT NULL,
  inbox text NOT NULL,
  tries smallint DEFAULT 0 NOT NULL,
  -- Put off by itself, behind those that were not: they have the least value.
  retry_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  CONSTRAINT deliveries_pkey PRIMARY KEY (id)
);
CREATE INDEX deliveries_queue ON deliveries USING btree (host, retry_at, id);

CREATE TABLE dismissed_suggestions (
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  CONSTRAINT dismissed_suggestions_pkey PRIMARY KEY (account_id, target_account_id)
);
CREATE INDEX dismissed_suggestions_target ON dismissed_suggestions USING btree (target_account_id);

CREATE TABLE domain_allows (
  id bigint DEFAULT snowflake() NOT NULL,
  domain citext NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT domain_allows_domain_key UNIQUE (domain),
  CONSTRAINT domain_allows_pkey PRIMARY KEY (id)
);
CREATE TRIGGER domain_allows_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON domain_allows FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- Servers that moderators have limited or suspended.
CREATE TABLE domain_blocks (
  id bigint DEFAULT snowflake() NOT NULL,
  domain citext NOT NULL,
  severity text DEFAULT 'silence'::text NOT NULL,
  reject_media boolean DEFAULT false NOT NULL,
  reject_reports boolean DEFAULT false NOT NULL,
  private_comment text,
  public_comment text,
  obfuscate boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT domain_blocks_domain_key UNIQUE (domain),
  CONSTRAINT domain_blocks_pkey PRIMARY KEY (id),
  CONSTRAINT domain_blocks_severity_check CHECK (severity = ANY (ARRAY['noop'::text, 'silence'::text, 'suspend'::text]))
);
-- Servers cache these like settings (0008).
CREATE TRIGGER domain_blocks_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON domain_blocks FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- The blocks that came from lists, as they were set: one that a moderator changes since is the moderator's.
CREATE TABLE domain_list_blocks (
  block_id bigint NOT NULL,
  applied jsonb NOT NULL,
  -- It ends when no list has it any more.
  retract boolean NOT NULL,
  CONSTRAINT domain_list_blocks_pkey PRIMARY KEY (block_id)
);

CREATE TABLE domain_list_changes (
  id bigint DEFAULT snowflake() NOT NULL,
  domain text NOT NULL,
  change text NOT NULL,
  severity text,
  before text,
  lists text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT domain_list_changes_pkey PRIMARY KEY (id),
  CONSTRAINT domain_list_changes_change_check CHECK (change = ANY (ARRAY['added'::text, 'changed'::text, 'removed'::text]))
);
CREATE INDEX domain_list_changes_created ON domain_list_changes USING btree (created_at);

CREATE TABLE domain_list_entries (
  list_id bigint NOT NULL,
  domain text NOT NULL,
  severity text NOT NULL,
  reject_media boolean NOT NULL,
  reject_reports boolean NOT NULL,
  public_comment text,
  obfuscate boolean NOT NULL,
  CONSTRAINT domain_list_entries_pkey PRIMARY KEY (list_id, domain)
);

-- What no list blocks here.
CREATE TABLE domain_list_exceptions (
  domain text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT domain_list_exceptions_pkey PRIMARY KEY (domain)
);

-- Lists of servers to block that others keep, which this one reads again and again.
CREATE TABLE domain_lists (
  id bigint DEFAULT snowflake() NOT NULL,
  url text NOT NULL,
  title text NOT NULL,
  -- What each severity of the list becomes here: {"suspend": "silence", "noop": "skip", …}.
  severities jsonb NOT NULL,
  -- Blocks end when the list has them no more.
  retract boolean DEFAULT true NOT NULL,
  etag text,
  entries integer DEFAULT 0 NOT NULL,
  -- Why it could not be read the last time.
  fault text,
  fetched_at timestamp with time zone,
  due_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT domain_lists_url_key UNIQUE (url),
  CONSTRAINT domain_lists_pkey PRIMARY KEY (id)
);
CREATE INDEX domain_lists_due ON domain_lists USING btree (due_at);

-- Moves of the server to another domain: what one in progress has done, so that it goes on where it was
-- (docs/design/moving.md).
CREATE TABLE domain_moves (
  id bigint DEFAULT snowflake() NOT NULL,
  local_domain text NOT NULL,
  web_domain text NOT NULL,
  https boolean NOT NULL,
  step text DEFAULT ''::text NOT NULL,
  after bigint DEFAULT 0 NOT NULL,
  counts jsonb DEFAULT '{}'::jsonb NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT domain_moves_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX domain_moves_unfinished ON domain_moves USING btree ((true)) WHERE finished_at IS NULL;

-- Drafts (domain/drafts/): at most 100 of a person, each of one post or of several that become a thread.
CREATE TABLE drafts (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  statuses jsonb NOT NULL,
  scheduled_at timestamp with time zone,
  idempotency_key text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT drafts_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX drafts_once ON drafts USING btree (account_id, idempotency_key);
CREATE INDEX drafts_page ON drafts USING btree (account_id, id DESC);

-- Deletions of unknown objects, by actor, so that a Create that arrives later does nothing.
CREATE TABLE early_deletes (
  actor_uri text NOT NULL,
  uri text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE INDEX early_deletes_created ON early_deletes USING btree (created_at);
CREATE UNIQUE INDEX early_deletes_key ON early_deletes USING btree (uri_key(uri), uri_key(actor_uri));

-- A new address, which replaces users.email once the link sent to it has been opened.
CREATE TABLE email_changes (
  user_id bigint NOT NULL,
  email citext NOT NULL,
  token_hash bytea,
  asked_at timestamp with time zone NOT NULL,
  CONSTRAINT email_changes_token_hash_key UNIQUE (token_hash),
  CONSTRAINT email_changes_pkey PRIMARY KEY (user_id)
);

-- Sign-ups that a block stopped or held, by day and address of the client.
CREATE TABLE email_domain_block_tries (
  block_id bigint NOT NULL,
  day date NOT NULL,
  ip inet NOT NULL,
  count integer DEFAULT 1 NOT NULL,
  CONSTRAINT email_domain_block_tries_pkey PRIMARY KEY (block_id, day, ip)
);
CREATE INDEX email_domain_block_tries_day ON email_domain_block_tries USING btree (day);

-- Also of the mail servers of a domain.
CREATE TABLE email_domain_blocks (
  id bigint DEFAULT snowflake() NOT NULL,
  domain citext NOT NULL,
  allow_with_approval boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT email_domain_blocks_domain_key UNIQUE (domain),
  CONSTRAINT email_domain_blocks_pkey PRIMARY KEY (id)
);

CREATE TABLE endorsements (
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT endorsements_pkey PRIMARY KEY (account_id, target_account_id)
);
CREATE INDEX endorsements_target ON endorsements USING btree (target_account_id);

CREATE TABLE favourites (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  status_id bigint NOT NULL,
  uri text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  -- The emoji of a reaction, which counts as a favourite: a character or `:name:`. Null: an ordinary Like.
  reaction text,
  -- Where the picture of a reaction's custom emoji is, on a server elsewhere. Null: a character, or a name alone.
  reaction_url text,
  CONSTRAINT favourites_account_id_status_id_key UNIQUE (account_id, status_id),
  CONSTRAINT favourites_pkey PRIMARY KEY (id)
);
CREATE INDEX favourites_account ON favourites USING btree (account_id, id);
-- The emojis that a post got; few favourites have one.
CREATE INDEX favourites_reactions ON favourites USING btree (status_id, account_id) WHERE reaction IS NOT NULL;
CREATE INDEX favourites_status ON favourites USING btree (status_id, id);
CREATE INDEX favourites_uri ON favourites USING btree (uri) WHERE uri IS NOT NULL;

CREATE TABLE featured_tags (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  tag_id bigint NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT featured_tags_account_id_tag_id_key UNIQUE (account_id, tag_id),
  CONSTRAINT featured_tags_pkey PRIMARY KEY (id)
);
CREATE INDEX featured_tags_tag ON featured_tags USING btree (tag_id);

-- What is stored under these keys and not needed any more; a job deletes the files.
CREATE TABLE files_to_delete (
  key text NOT NULL,
  since timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT files_to_delete_pkey PRIMARY KEY (key)
);

CREATE TABLE filter_keywords (
  id bigint DEFAULT snowflake() NOT NULL,
  filter_id bigint NOT NULL,
  keyword text NOT NULL,
  whole_word boolean DEFAULT true NOT NULL,
  -- In keywords with this, `*` stands for any letters of a word (domain/filters/match.ts).
  wildcards boolean DEFAULT false NOT NULL,
  CONSTRAINT filter_keywords_pkey PRIMARY KEY (id)
);
CREATE INDEX filter_keywords_filter ON filter_keywords USING btree (filter_id, id);

CREATE TABLE filter_statuses (
  id bigint DEFAULT snowflake() NOT NULL,
  filter_id bigint NOT NULL,
  status_id bigint NOT NULL,
  CONSTRAINT filter_statuses_filter_id_status_id_key UNIQUE (filter_id, status_id),
  CONSTRAINT filter_statuses_pkey PRIMARY KEY (id)
);
CREATE INDEX filter_statuses_status ON filter_statuses USING btree (status_id);

CREATE TABLE filters (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  title text NOT NULL,
  context text[] NOT NULL,
  action text DEFAULT 'warn'::text NOT NULL,
  expires_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT filters_pkey PRIMARY KEY (id),
  CONSTRAINT filters_action_check CHECK (action = ANY (ARRAY['warn'::text, 'hide'::text, 'blur'::text]))
);
CREATE INDEX filters_account ON filters USING btree (account_id, id);

-- What the last `rookery doctor` found, for the pages and mails of the staff.
CREATE TABLE findings (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  check_name text NOT NULL,
  state text NOT NULL,
  text text NOT NULL,
  advice text,
  found_at timestamp with time zone NOT NULL,
  CONSTRAINT findings_pkey PRIMARY KEY (id)
);

CREATE TABLE follow_requests (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  show_reblogs boolean DEFAULT true NOT NULL,
  notify boolean DEFAULT false NOT NULL,
  languages text[],
  uri text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  show_replies boolean DEFAULT true NOT NULL,
  daily_limit smallint,
  CONSTRAINT follow_requests_account_id_target_account_id_key UNIQUE (account_id, target_account_id),
  CONSTRAINT follow_requests_pkey PRIMARY KEY (id),
  CONSTRAINT follow_requests_daily_limit_check CHECK (daily_limit >= 1 AND daily_limit <= 100)
);
CREATE INDEX follow_requests_target ON follow_requests USING btree (target_account_id, id);
CREATE INDEX follow_requests_uri ON follow_requests USING btree (uri) WHERE uri IS NOT NULL;
CREATE TRIGGER follow_requests_leave_lists AFTER DELETE ON follow_requests FOR EACH ROW EXECUTE FUNCTION leave_lists();

CREATE TABLE follower_digests (
  account_id bigint NOT NULL,
  origin text NOT NULL,
  digest bit(256) NOT NULL,
  followers integer NOT NULL,
  CONSTRAINT follower_digests_pkey PRIMARY KEY (account_id, origin)
);

CREATE TABLE follows (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  show_reblogs boolean DEFAULT true NOT NULL,
  notify boolean DEFAULT false NOT NULL,
  languages text[],
  uri text,
  local boolean DEFAULT true NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  show_replies boolean DEFAULT true NOT NULL,
  daily_limit smallint,
  CONSTRAINT follows_account_id_target_account_id_key UNIQUE (account_id, target_account_id),
  CONSTRAINT follows_pkey PRIMARY KEY (id),
  CONSTRAINT follows_daily_limit_check CHECK (daily_limit >= 1 AND daily_limit <= 100)
);
CREATE INDEX follows_account ON follows USING btree (account_id, id);
CREATE INDEX follows_elsewhere ON follows USING btree (target_account_id, account_id) WHERE NOT local;
-- Index-only scans: fan-out reads local followers from this index, delivery remote ones from the next.
CREATE INDEX follows_fan_out ON follows USING btree (target_account_id, account_id) INCLUDE (show_reblogs, languages) WHERE local;
CREATE INDEX follows_notify ON follows USING btree (target_account_id, account_id) WHERE notify AND local;
-- Followers of an account, newest first; then follows by uri, for Accept and Undo.
CREATE INDEX follows_target ON follows USING btree (target_account_id, id);
CREATE INDEX follows_uri ON follows USING btree (uri) WHERE uri IS NOT NULL;
CREATE TRIGGER follows_digests_added AFTER INSERT ON follows REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follows_change_digests();
CREATE TRIGGER follows_digests_removed AFTER DELETE ON follows REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follows_change_digests();
CREATE TRIGGER follows_endorsements AFTER DELETE ON follows FOR EACH ROW WHEN (old.local) EXECUTE FUNCTION end_endorsement();
CREATE TRIGGER follows_leave_lists AFTER DELETE ON follows FOR EACH ROW EXECUTE FUNCTION leave_lists();
CREATE TRIGGER follows_local BEFORE INSERT ON follows FOR EACH ROW EXECUTE FUNCTION follow_is_local();

-- Follows between people here and elsewhere that began under a former name, until the other server knows them under
-- the present one.
CREATE TABLE former_follows (
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT former_follows_pkey PRIMARY KEY (account_id, target_account_id)
);
CREATE INDEX former_follows_created ON former_follows USING btree (created_at);
CREATE INDEX former_follows_target ON former_follows USING btree (target_account_id);

-- The names that this server had: what others know under them is answered, and what they say of them is
-- understood as of the present ones (docs/design/moving.md).
CREATE TABLE former_names (
  web_domain text NOT NULL,
  local_domain text NOT NULL,
  https boolean NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT former_names_pkey PRIMARY KEY (web_domain)
);

-- Further activities by which somebody elsewhere favourited a post, each with another emoji: when the first is undone, one
-- of them takes its place.
CREATE TABLE further_reactions (
  favourite_id bigint NOT NULL,
  uri text NOT NULL,
  reaction text,
  reaction_url text,
  CONSTRAINT further_reactions_pkey PRIMARY KEY (favourite_id, uri)
);
CREATE INDEX further_reactions_uri ON further_reactions USING btree (uri);

CREATE TABLE import_rows (
  import_id bigint NOT NULL,
  n integer NOT NULL,
  data jsonb NOT NULL,
  state text DEFAULT 'waiting'::text NOT NULL,
  -- What it became: the id of an account, a status, a filter, or a domain.
  target text,
  fault text,
  tries smallint DEFAULT 0 NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT import_rows_pkey PRIMARY KEY (import_id, n),
  CONSTRAINT import_rows_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX import_rows_due ON import_rows USING btree (import_id, due_at, n) WHERE state = 'waiting'::text;
CREATE INDEX import_rows_target ON import_rows USING btree (import_id, target) WHERE state = 'done'::text;

-- What posts of an archive became here, so that none is imported twice and answers find what they answer.
CREATE TABLE imported_posts (
  account_id bigint NOT NULL,
  uri_hash bytea NOT NULL,
  status_id bigint NOT NULL,
  CONSTRAINT imported_posts_pkey PRIMARY KEY (account_id, uri_hash)
);
CREATE INDEX imported_posts_status ON imported_posts USING btree (status_id);

-- What people bring along from other accounts: lists of people, domains, posts, and later whole archives.
CREATE TABLE imports (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  kind text NOT NULL,
  file_name text NOT NULL,
  -- Also removes what the file does not have.
  overwrite boolean NOT NULL,
  -- new: it waits for its owner's word; removing: everything was read, what is not in the file goes.
  state text DEFAULT 'new'::text NOT NULL,
  -- Why it ended early; null: it did not.
  fault text,
  -- The archive in the folder of uploads, and its author.
  source jsonb,
  total integer DEFAULT 0 NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  removed integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  -- What of an archive cannot be imported, by what it is: {boosts: 12, favourites: 3}.
  left_out jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT imports_pkey PRIMARY KEY (id),
  CONSTRAINT imports_state_check CHECK (state = ANY (ARRAY['new'::text, 'unpacking'::text, 'running'::text, 'removing'::text, 'done'::text]))
);
CREATE INDEX imports_account ON imports USING btree (account_id, id DESC);
CREATE INDEX imports_created ON imports USING btree (created_at);

-- Every accepted activity until it is processed; its id makes a repeated delivery harmless.
CREATE TABLE incoming_activities (
  id bigint DEFAULT snowflake() NOT NULL,
  uri text NOT NULL,
  actor_uri text NOT NULL,
  body text NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  claimed_until timestamp with time zone,
  retry_at timestamp with time zone,
  received_at timestamp with time zone DEFAULT now() NOT NULL,
  -- What an activity in progress is about: later ones of the same actor about the same wait for it.
  subjects jsonb,
  owner uuid,
  CONSTRAINT incoming_activities_pkey PRIMARY KEY (id)
) WITH (toast_tuple_target=8160);
CREATE INDEX incoming_activities_holding ON incoming_activities USING btree (actor_uri) WHERE subjects IS NOT NULL;
-- The few in progress, for which others wait.
CREATE INDEX incoming_activities_in_hand ON incoming_activities USING btree (claimed_until) WHERE claimed_until IS NOT NULL;

CREATE TABLE invites (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  code text NOT NULL,
  max_uses integer,
  uses integer DEFAULT 0 NOT NULL,
  expires_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT invites_code_key UNIQUE (code),
  CONSTRAINT invites_pkey PRIMARY KEY (id),
  CONSTRAINT invites_max_uses_check CHECK (max_uses > 0)
);
CREATE INDEX invites_account ON invites USING btree (account_id, id DESC);

CREATE TABLE ip_blocks (
  id bigint DEFAULT snowflake() NOT NULL,
  ip cidr NOT NULL,
  severity text NOT NULL,
  comment text DEFAULT ''::text NOT NULL,
  expires_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT ip_blocks_ip_key UNIQUE (ip),
  CONSTRAINT ip_blocks_pkey PRIMARY KEY (id),
  CONSTRAINT ip_blocks_severity_check CHECK (severity = ANY (ARRAY['sign_up_requires_approval'::text, 'sign_up_block'::text, 'no_access'::text]))
);
CREATE INDEX ip_blocks_expires ON ip_blocks USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE TRIGGER ip_blocks_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON ip_blocks FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- Owner and exclusiveness are copied from the list (by the foreign key), so that fan-out needs no join.
CREATE TABLE list_accounts (
  list_id bigint NOT NULL,
  account_id bigint NOT NULL,
  owner_id bigint NOT NULL,
  exclusive boolean NOT NULL,
  CONSTRAINT list_accounts_pkey PRIMARY KEY (list_id, account_id)
);
CREATE INDEX list_accounts_exclusive ON list_accounts USING btree (account_id, owner_id) WHERE exclusive;
-- Fan-out: the lists that contain an author, and the home feeds that exclude an author.
CREATE INDEX list_accounts_member ON list_accounts USING btree (account_id, list_id);
-- By owner: the lists that contain an account, and the accounts excluded from the home feed.
CREATE INDEX list_accounts_owner ON list_accounts USING btree (owner_id, account_id);

CREATE TABLE lists (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  title text NOT NULL,
  replies_policy text DEFAULT 'list'::text NOT NULL,
  exclusive boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT lists_id_account_id_exclusive_key UNIQUE (id, account_id, exclusive),
  CONSTRAINT lists_pkey PRIMARY KEY (id),
  CONSTRAINT lists_replies_policy_check CHECK (replies_policy = ANY (ARRAY['followed'::text, 'list'::text, 'none'::text]))
);
CREATE INDEX lists_account ON lists USING btree (account_id, id);

-- How far a person has read each timeline; the version detects concurrent changes.
CREATE TABLE markers (
  user_id bigint NOT NULL,
  timeline text NOT NULL,
  last_read_id bigint NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT markers_pkey PRIMARY KEY (user_id, timeline),
  CONSTRAINT markers_timeline_check CHECK (timeline = ANY (ARRAY['home'::text, 'notifications'::text]))
);

-- Images and videos; so far only those that remote statuses link to.
CREATE TABLE media_attachments (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  status_id bigint,
  "position" smallint DEFAULT 0 NOT NULL,
  type text NOT NULL,
  media_type text,
  url text,
  remote_url text,
  description text,
  blurhash text,
  meta jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  state text DEFAULT 'done'::text NOT NULL,
  fault text,
  upload jsonb,
  file_key text,
  small_key text,
  scheduled_id bigint,
  detached_from bigint,
  -- How many bytes the stored file of an upload has, for feeds (RSS) and `rookery media usage`. null: a remote one, or an upload from before.
  file_size bigint,
  -- The draft that an upload is kept for.
  draft_id bigint,
  CONSTRAINT media_attachments_pkey PRIMARY KEY (id),
  CONSTRAINT media_attachments_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text])),
  CONSTRAINT media_attachments_type_check CHECK (type = ANY (ARRAY['image'::text, 'gifv'::text, 'video'::text, 'audio'::text, 'unknown'::text]))
);
CREATE INDEX media_attachments_account ON media_attachments USING btree (account_id);
CREATE INDEX media_attachments_detached ON media_attachments USING btree (detached_from) WHERE detached_from IS NOT NULL;
CREATE INDEX media_attachments_scheduled ON media_attachments USING btree (scheduled_id) WHERE scheduled_id IS NOT NULL;
CREATE INDEX media_attachments_status ON media_attachments USING btree (status_id, "position");
CREATE INDEX media_attachments_unattached ON media_attachments USING btree (created_at) WHERE status_id IS NULL AND scheduled_id IS NULL AND detached_from IS NULL;
CREATE TRIGGER media_deleted AFTER DELETE ON media_attachments REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION media_deleted();

CREATE TABLE mentions (
  status_id bigint NOT NULL,
  account_id bigint NOT NULL,
  silent boolean DEFAULT false NOT NULL,
  direct boolean DEFAULT false NOT NULL,
  CONSTRAINT mentions_pkey PRIMARY KEY (status_id, account_id)
);
-- The direct timeline, and who was mentioned.
CREATE INDEX mentions_account ON mentions USING btree (account_id, status_id DESC);
CREATE INDEX mentions_direct ON mentions USING btree (account_id, status_id DESC) WHERE direct;

CREATE TABLE moving (
  id boolean DEFAULT true NOT NULL,
  pass integer NOT NULL,
  since timestamp without time zone,
  began timestamp without time zone NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT moving_pkey PRIMARY KEY (id),
  CONSTRAINT moving_id_check CHECK (id)
);

CREATE TABLE moving_steps (
  name text NOT NULL,
  pass integer NOT NULL,
  after jsonb,
  done boolean DEFAULT false NOT NULL,
  rows bigint DEFAULT 0 NOT NULL,
  orphans bigint DEFAULT 0 NOT NULL,
  refused bigint DEFAULT 0 NOT NULL,
  fault text,
  CONSTRAINT moving_steps_pkey PRIMARY KEY (name)
);

CREATE TABLE mutes (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  hide_notifications boolean DEFAULT true NOT NULL,
  expires_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT mutes_account_id_target_account_id_key UNIQUE (account_id, target_account_id),
  CONSTRAINT mutes_pkey PRIMARY KEY (id)
);
CREATE INDEX mutes_account ON mutes USING btree (account_id, id);
CREATE INDEX mutes_target ON mutes USING btree (target_account_id);

-- People who cleared more notifications than one statement deletes: those up to this id are not shown any more, and a
-- job deletes them.
CREATE TABLE notification_clears (
  account_id bigint NOT NULL,
  up_to bigint NOT NULL,
  CONSTRAINT notification_clears_pkey PRIMARY KEY (account_id)
);

-- One row for each group that has notifications which are not filtered; kept by the triggers below.
CREATE TABLE notification_groups (
  account_id bigint NOT NULL,
  group_key text NOT NULL,
  type text NOT NULL,
  status_id bigint,
  latest_id bigint NOT NULL,
  count integer NOT NULL,
  CONSTRAINT notification_groups_pkey PRIMARY KEY (account_id, group_key)
);
CREATE INDEX notification_groups_page ON notification_groups USING btree (account_id, type, latest_id DESC);

-- Senders whom the policy does not apply to: their requests were accepted.
CREATE TABLE notification_permissions (
  account_id bigint NOT NULL,
  from_account_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT notification_permissions_pkey PRIMARY KEY (account_id, from_account_id)
);
CREATE INDEX notification_permissions_from ON notification_permissions USING btree (from_account_id);

-- People without a row have the defaults.
CREATE TABLE notification_policies (
  account_id bigint NOT NULL,
  for_not_following text DEFAULT 'accept'::text NOT NULL,
  for_not_followers text DEFAULT 'accept'::text NOT NULL,
  for_new_accounts text DEFAULT 'accept'::text NOT NULL,
  for_private_mentions text DEFAULT 'filter'::text NOT NULL,
  for_limited_accounts text DEFAULT 'filter'::text NOT NULL,
  for_bots text DEFAULT 'accept'::text NOT NULL,
  CONSTRAINT notification_policies_pkey PRIMARY KEY (account_id)
);

-- One row for each sender whose notifications are filtered; kept by the triggers below.
CREATE TABLE notification_requests (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  from_account_id bigint NOT NULL,
  count integer NOT NULL,
  last_status_id bigint,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT notification_requests_account_id_from_account_id_key UNIQUE (account_id, from_account_id),
  CONSTRAINT notification_requests_pkey PRIMARY KEY (id)
);
CREATE INDEX notification_requests_from ON notification_requests USING btree (from_account_id);
CREATE INDEX notification_requests_page ON notification_requests USING btree (account_id, id DESC);

CREATE TABLE notifications (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  from_account_id bigint NOT NULL,
  type text NOT NULL,
  status_id bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  -- What a notification is about, if it is not a status: a report, a collection, a year.
  subject_id bigint,
  group_key text,
  filtered boolean DEFAULT false NOT NULL,
  CONSTRAINT notifications_pkey PRIMARY KEY (id),
  CONSTRAINT notifications_grouped CHECK ((group_key IS NOT NULL) = (type = ANY (ARRAY['favourite'::text, 'reblog'::text, 'follow'::text, 'admin.sign_up'::text])))
);
CREATE INDEX notifications_filtered ON notifications USING btree (account_id, from_account_id, id DESC) WHERE filtered;
-- An act that is undone takes its notifications along; the index also serves the foreign key.
CREATE INDEX notifications_from_status ON notifications USING btree (from_account_id, status_id);
CREATE INDEX notifications_of_group ON notifications USING btree (account_id, group_key, id DESC) WHERE group_key IS NOT NULL;
CREATE INDEX notifications_of_type ON notifications USING btree (account_id, type, filtered, id DESC);
-- One notification per event, so that a retried job creates no second one.
CREATE UNIQUE INDEX notifications_once ON notifications USING btree (account_id, type, from_account_id, COALESCE(status_id, subject_id, 0::bigint));
CREATE INDEX notifications_page ON notifications USING btree (account_id, id DESC) WHERE NOT filtered;
CREATE INDEX notifications_status ON notifications USING btree (status_id) WHERE status_id IS NOT NULL;
-- Triggers, because notifications also go with the statuses and accounts that they are about. Rows are
-- locked in one order.
CREATE TRIGGER notifications_added AFTER INSERT ON notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notifications_added();
CREATE TRIGGER notifications_emptied AFTER TRUNCATE ON notifications FOR EACH STATEMENT EXECUTE FUNCTION notifications_emptied();
CREATE TRIGGER notifications_gone AFTER DELETE ON notifications REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION notifications_gone();
-- Of an update the old rows are gone first, then the new ones added: triggers run by name.
CREATE TRIGGER notifications_updated_1 AFTER UPDATE ON notifications REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION notifications_gone();
CREATE TRIGGER notifications_updated_2 AFTER UPDATE ON notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notifications_added();

CREATE TABLE oauth_apps (
  id bigint DEFAULT snowflake() NOT NULL,
  name text NOT NULL,
  website text,
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  client_id text NOT NULL,
  client_secret_hash bytea NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  first_party boolean DEFAULT false NOT NULL,
  CONSTRAINT oauth_apps_client_id_key UNIQUE (client_id),
  CONSTRAINT oauth_apps_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX oauth_apps_first_party ON oauth_apps USING btree (first_party) WHERE first_party;

CREATE TABLE oauth_codes (
  code_hash bytea NOT NULL,
  app_id bigint NOT NULL,
  user_id bigint NOT NULL,
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  code_challenge text,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT oauth_codes_pkey PRIMARY KEY (code_hash)
);
CREATE INDEX oauth_codes_app ON oauth_codes USING btree (app_id);
CREATE INDEX oauth_codes_expires ON oauth_codes USING btree (expires_at);
CREATE INDEX oauth_codes_user ON oauth_codes USING btree (user_id);

CREATE TABLE oauth_tokens (
  id bigint DEFAULT snowflake() NOT NULL,
  token_hash bytea NOT NULL,
  app_id bigint,
  user_id bigint,
  code_hash bytea,
  scopes text[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  session_id bigint,
  expires_at timestamp with time zone,
  CONSTRAINT oauth_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT oauth_tokens_pkey PRIMARY KEY (id)
);
CREATE INDEX oauth_tokens_app ON oauth_tokens USING btree (app_id);
CREATE INDEX oauth_tokens_code ON oauth_tokens USING btree (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX oauth_tokens_expires ON oauth_tokens USING btree (expires_at) WHERE expires_at IS NOT NULL;
-- Foreign keys.
CREATE INDEX oauth_tokens_of_user ON oauth_tokens USING btree (user_id);
CREATE INDEX oauth_tokens_revoked ON oauth_tokens USING btree (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX oauth_tokens_session ON oauth_tokens USING btree (session_id) WHERE session_id IS NOT NULL;
CREATE TRIGGER oauth_tokens_credentials AFTER UPDATE OF revoked_at, scopes ON oauth_tokens FOR EACH ROW WHEN (old.revoked_at IS DISTINCT FROM new.revoked_at OR old.scopes IS DISTINCT FROM new.scopes) EXECUTE FUNCTION tell_credentials('token');
CREATE TRIGGER oauth_tokens_credentials_gone AFTER DELETE ON oauth_tokens FOR EACH ROW EXECUTE FUNCTION tell_credentials('token');

-- Events that commit together with the change that caused them; a worker does the follow-up work and
-- deletes them (docs/design/write-path.md). They replace unfinished_statuses.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  type text NOT NULL,
  payload jsonb NOT NULL,
  -- Until then a worker has claimed it; null: unclaimed.
  claimed_until timestamp with time zone,
  owner uuid,
  -- A worker that helps the first one takes what has waited for a while.
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT outbox_pkey PRIMARY KEY (id)
) WITH (fillfactor=70);

-- The body of an activity is stored once, however many inboxes it goes to.
CREATE TABLE outgoing_activities (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint,
  body text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT outgoing_activities_pkey PRIMARY KEY (id)
);
CREATE INDEX outgoing_activities_account ON outgoing_activities USING btree (account_id);
CREATE INDEX outgoing_activities_created ON outgoing_activities USING btree (created_at);

CREATE TABLE passkeys (
  id bigint DEFAULT snowflake() NOT NULL,
  user_id bigint NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] DEFAULT '{}'::text[] NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id)
);
CREATE INDEX passkeys_user ON passkeys USING btree (user_id);

-- One link per user: a new mail replaces the one before. Only a hash of the link's token is stored.
CREATE TABLE password_resets (
  user_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  sent_at timestamp with time zone NOT NULL,
  CONSTRAINT password_resets_token_hash_key UNIQUE (token_hash),
  CONSTRAINT password_resets_pkey PRIMARY KEY (user_id)
);

-- What other servers say of their software (NodeInfo), by host.
CREATE TABLE peers (
  host text NOT NULL,
  software text,
  version text,
  checked_at timestamp with time zone NOT NULL,
  CONSTRAINT peers_pkey PRIMARY KEY (host)
);
CREATE INDEX peers_checked ON peers USING btree (checked_at);
-- A server with those below its domain.
CREATE INDEX peers_reversed ON peers USING btree (reverse(host) text_pattern_ops);
CREATE INDEX peers_software ON peers USING btree (software, host);

CREATE TABLE poll_votes (
  id bigint DEFAULT snowflake() NOT NULL,
  poll_id bigint NOT NULL,
  account_id bigint NOT NULL,
  choice smallint NOT NULL,
  uri text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT poll_votes_poll_id_account_id_choice_key UNIQUE (poll_id, account_id, choice),
  CONSTRAINT poll_votes_pkey PRIMARY KEY (id)
);
CREATE INDEX poll_votes_account ON poll_votes USING btree (account_id);

CREATE TABLE polls (
  id bigint DEFAULT snowflake() NOT NULL,
  status_id bigint NOT NULL,
  options text[] NOT NULL,
  tallies bigint[] NOT NULL,
  multiple boolean NOT NULL,
  hide_totals boolean DEFAULT false NOT NULL,
  voters_count bigint,
  expires_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  CONSTRAINT polls_status_id_key UNIQUE (status_id),
  CONSTRAINT polls_pkey PRIMARY KEY (id)
);

-- Previews of the pages that posts link to, each shared by all posts with that link.
CREATE TABLE preview_cards (
  id bigint DEFAULT snowflake() NOT NULL,
  url_hash bytea NOT NULL,
  url text NOT NULL,
  card jsonb,
  creator_account_id bigint,
  image_key text,
  ask_again_at timestamp with time zone NOT NULL,
  kept_until timestamp with time zone NOT NULL,
  CONSTRAINT preview_cards_url_hash_key UNIQUE (url_hash),
  CONSTRAINT preview_cards_pkey PRIMARY KEY (id)
);
CREATE INDEX preview_cards_creator ON preview_cards USING btree (creator_account_id) WHERE creator_account_id IS NOT NULL;
CREATE INDEX preview_cards_kept_until ON preview_cards USING btree (kept_until);
CREATE TRIGGER card_file_deleted AFTER DELETE ON preview_cards FOR EACH ROW WHEN (old.image_key IS NOT NULL) EXECUTE FUNCTION card_file_unused();
CREATE TRIGGER card_file_replaced AFTER UPDATE OF image_key ON preview_cards FOR EACH ROW WHEN (old.image_key IS NOT NULL AND old.image_key IS DISTINCT FROM new.image_key) EXECUTE FUNCTION card_file_unused();

CREATE TABLE push_subscriptions (
  id bigint DEFAULT snowflake() NOT NULL,
  token_id bigint,
  account_id bigint NOT NULL,
  endpoint text NOT NULL,
  p256dh bytea NOT NULL,
  auth bytea NOT NULL,
  standard boolean NOT NULL,
  alerts jsonb NOT NULL,
  policy text NOT NULL,
  access_token bytea,
  failures integer DEFAULT 0 NOT NULL,
  retry_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  session_id bigint,
  CONSTRAINT push_subscriptions_session_id_key UNIQUE (session_id),
  CONSTRAINT push_subscriptions_token_id_key UNIQUE (token_id),
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT push_subscriptions_owner CHECK ((token_id IS NULL) <> (session_id IS NULL))
);
CREATE INDEX push_subscriptions_account ON push_subscriptions USING btree (account_id, id);

CREATE TABLE quotes (
  id bigint DEFAULT snowflake() NOT NULL,
  status_id bigint NOT NULL,
  account_id bigint NOT NULL,
  -- null: unknown or deleted
  quoted_status_id bigint,
  quoted_account_id bigint,
  quoted_uri text NOT NULL,
  state text NOT NULL,
  legacy boolean DEFAULT false NOT NULL,
  approval_uri text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT quotes_status_id_key UNIQUE (status_id),
  CONSTRAINT quotes_pkey PRIMARY KEY (id),
  CONSTRAINT quotes_state_check CHECK (state = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'revoked'::text]))
);
CREATE INDEX quotes_account ON quotes USING btree (account_id);
CREATE INDEX quotes_approval ON quotes USING btree (approval_uri) WHERE approval_uri IS NOT NULL;
-- Who quotes a status, newest first.
CREATE INDEX quotes_quoted ON quotes USING btree (quoted_status_id, status_id) WHERE quoted_status_id IS NOT NULL;
CREATE INDEX quotes_quoted_account ON quotes USING btree (quoted_account_id) WHERE quoted_account_id IS NOT NULL;

CREATE TABLE recovery_codes (
  user_id bigint NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
);

-- Copies of files of other servers, fetched when somebody looks at them (docs/design/media.md).
CREATE TABLE remote_files (
  hash bytea NOT NULL,
  host text NOT NULL,
  key text,
  bytes bigint DEFAULT 0 NOT NULL,
  fetched_at timestamp with time zone DEFAULT now() NOT NULL,
  used_at timestamp with time zone DEFAULT now() NOT NULL,
  retry_at timestamp with time zone,
  CONSTRAINT remote_files_pkey PRIMARY KEY (hash)
);
CREATE INDEX remote_files_host ON remote_files USING btree (host);
CREATE INDEX remote_files_used ON remote_files USING btree (used_at);
CREATE TRIGGER remote_files_deleted AFTER DELETE ON remote_files REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remote_files_deleted();

-- Hosts that do not answer, so that deliveries to them do not slow down the others.
CREATE TABLE remote_hosts (
  host text NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  failing_since timestamp with time zone,
  due_at timestamp with time zone,
  -- due_at: when the next delivery may be sent; null: nothing waits. With an owner, when its lease ends.
  owner uuid,
  resting boolean DEFAULT false NOT NULL,
  added bigint DEFAULT 0 NOT NULL,
  latency_ms integer,
  slow boolean DEFAULT false NOT NULL,
  settled_at timestamp with time zone DEFAULT now() NOT NULL,
  -- Until when a host asked for a pause: a sign of life does not end that, as it ends the rest after failures.
  paused_until timestamp with time zone,
  -- When the staff stopped deliveries to this host; null: they did not. Such a row stays until they go on.
  stopped_at timestamp with time zone,
  CONSTRAINT remote_hosts_pkey PRIMARY KEY (host)
);
CREATE INDEX remote_hosts_due ON remote_hosts USING btree (slow, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX remote_hosts_idle ON remote_hosts USING btree (settled_at) WHERE due_at IS NULL;
-- Those that do not answer, or get nothing: few of many.
CREATE INDEX remote_hosts_troubled ON remote_hosts USING btree (host) WHERE failing_since IS NOT NULL OR stopped_at IS NOT NULL;

CREATE TABLE reports (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  target_account_id bigint NOT NULL,
  status_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  collection_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  rule_ids bigint[],
  comment text DEFAULT ''::text NOT NULL,
  category text DEFAULT 'other'::text NOT NULL,
  forwarded boolean DEFAULT false NOT NULL,
  uri text,
  action_taken_at timestamp with time zone,
  action_taken_by_account_id bigint,
  assigned_account_id bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  -- The decision about the account that ended a report; null: none was taken for it. Not a foreign key: strikes go with
  -- the account that they are about, and its reports with it.
  strike_id bigint,
  CONSTRAINT reports_pkey PRIMARY KEY (id),
  CONSTRAINT reports_category_check CHECK (category = ANY (ARRAY['spam'::text, 'legal'::text, 'violation'::text, 'other'::text]))
);
CREATE INDEX reports_account_page ON reports USING btree (account_id, id);
CREATE INDEX reports_assigned ON reports USING btree (assigned_account_id) WHERE assigned_account_id IS NOT NULL;
CREATE INDEX reports_open ON reports USING btree (id) WHERE action_taken_at IS NULL;
CREATE INDEX reports_resolved ON reports USING btree (id) WHERE action_taken_at IS NOT NULL;
CREATE INDEX reports_resolved_at ON reports USING btree (action_taken_at) WHERE action_taken_at IS NOT NULL;
CREATE INDEX reports_taken_by ON reports USING btree (action_taken_by_account_id) WHERE action_taken_by_account_id IS NOT NULL;
CREATE INDEX reports_target ON reports USING btree (target_account_id, id);
CREATE UNIQUE INDEX reports_uri ON reports USING btree (uri) WHERE uri IS NOT NULL;

-- How the last restore drills went: for the doctor, who asks when there was one.
CREATE TABLE restore_drills (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone NOT NULL,
  backup text NOT NULL,
  questions integer NOT NULL,
  failures integer NOT NULL,
  -- the first thing that was wrong; null: nothing
  fault text,
  CONSTRAINT restore_drills_pkey PRIMARY KEY (id)
);

-- Where a pass over many rows, newest first, has got to.
CREATE TABLE retention_passes (
  name text NOT NULL,
  before_id bigint NOT NULL,
  CONSTRAINT retention_passes_pkey PRIMARY KEY (name)
);

CREATE TABLE roles (
  id bigint DEFAULT snowflake() NOT NULL,
  name text NOT NULL,
  color text DEFAULT ''::text NOT NULL,
  permissions bigint DEFAULT 0 NOT NULL,
  highlighted boolean DEFAULT false NOT NULL,
  "position" integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  -- How long posts of people with this role may be; null: as MAX_TOOT_CHARS says.
  max_characters integer,
  CONSTRAINT roles_pkey PRIMARY KEY (id),
  CONSTRAINT roles_max_characters_check CHECK (max_characters >= 1 AND max_characters <= 100000)
);
CREATE UNIQUE INDEX roles_name ON roles USING btree (lower(name)) WHERE name <> ''::text;
CREATE TRIGGER roles_credentials AFTER UPDATE OF permissions ON roles FOR EACH ROW EXECUTE FUNCTION tell_credentials('role');

CREATE TABLE rules (
  id bigint DEFAULT snowflake() NOT NULL,
  "position" integer DEFAULT 0 NOT NULL,
  text text NOT NULL,
  hint text DEFAULT ''::text NOT NULL,
  translations jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT rules_pkey PRIMARY KEY (id)
);
-- Servers cache rules and terms like settings (0008).
CREATE TRIGGER rules_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON rules FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- Searches that people keep (domain/saved-searches/): at most 100 each.
CREATE TABLE saved_searches (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  q text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT saved_searches_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX saved_searches_q ON saved_searches USING btree (account_id, q);

CREATE TABLE scheduled_statuses (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  scheduled_at timestamp with time zone NOT NULL,
  draft jsonb NOT NULL,
  app_id bigint,
  idempotency_key text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  -- Why a scheduled post was refused at its time: it stays for its author, who chooses another time or deletes it.
  fault text,
  CONSTRAINT scheduled_statuses_pkey PRIMARY KEY (id)
);
CREATE INDEX scheduled_statuses_app ON scheduled_statuses USING btree (app_id);
-- For counting a day's scheduled posts.
CREATE INDEX scheduled_statuses_day ON scheduled_statuses USING btree (account_id, scheduled_at);
CREATE UNIQUE INDEX scheduled_statuses_once ON scheduled_statuses USING btree (account_id, idempotency_key);
CREATE INDEX scheduled_statuses_page ON scheduled_statuses USING btree (account_id, id DESC);

-- Accounts that have just allowed search and whose older posts are not indexed yet.
CREATE TABLE search_backlog (
  account_id bigint NOT NULL,
  before_id bigint DEFAULT '9223372036854775807'::bigint NOT NULL,
  CONSTRAINT search_backlog_pkey PRIMARY KEY (account_id)
);

-- `slot`: the weeks since 1970, modulo 3: this week, the one before, and one that is empty for the next
-- (emptyNextSlot in src/federation/inbox/queries.ts).
CREATE TABLE seen_activities (
  slot smallint NOT NULL,
  key uuid NOT NULL,
  CONSTRAINT seen_activities_pkey PRIMARY KEY (key, slot)
) PARTITION BY LIST (slot);

-- Every server that accounts are known of, as it is counted once a day for the pages of the staff.
CREATE TABLE servers (
  domain text COLLATE "C" NOT NULL,
  host text NOT NULL,
  media_hosts text[] NOT NULL,
  accounts integer NOT NULL,
  followed integer NOT NULL,
  followers integer NOT NULL,
  media_bytes bigint NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  CONSTRAINT servers_pkey PRIMARY KEY (domain)
);
-- A page of the list in each of its orders.
CREATE INDEX servers_by_accounts ON servers USING btree (accounts DESC, domain);
CREATE INDEX servers_by_followed ON servers USING btree (followed DESC, domain);
CREATE INDEX servers_by_followers ON servers USING btree (followers DESC, domain);
CREATE INDEX servers_by_media ON servers USING btree (media_bytes DESC, domain);
-- Those that few of many hosts belong to: with a rare software, or failing.
CREATE INDEX servers_host ON servers USING btree (host);
-- Search by a part of the name.
CREATE INDEX servers_name ON servers USING gin (domain gin_trgm_ops);

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  user_id bigint NOT NULL,
  ip inet,
  user_agent text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  used_at timestamp with time zone DEFAULT now() NOT NULL,
  id bigint DEFAULT snowflake() NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (token_hash)
);
CREATE UNIQUE INDEX sessions_id ON sessions USING btree (id);
CREATE INDEX sessions_ip ON sessions USING gist (ip inet_ops);
CREATE INDEX sessions_used ON sessions USING btree (used_at);
CREATE INDEX sessions_user ON sessions USING btree (user_id);

-- Settings that an administrator changes while the server runs.
CREATE TABLE settings (
  name text NOT NULL,
  value jsonb NOT NULL,
  CONSTRAINT settings_pkey PRIMARY KEY (name)
);
CREATE TRIGGER settings_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON settings FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- Follows that ended because of moderation, so that people can see what they lost.
CREATE TABLE severance_events (
  id bigint DEFAULT snowflake() NOT NULL,
  type text NOT NULL,
  target_name text NOT NULL,
  purged boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT severance_events_pkey PRIMARY KEY (id),
  CONSTRAINT severance_events_type_check CHECK (type = ANY (ARRAY['domain_block'::text, 'user_domain_block'::text, 'account_suspension'::text]))
);

CREATE TABLE severed_relationships (
  event_id bigint NOT NULL,
  account_id bigint NOT NULL,
  other_account_id bigint NOT NULL,
  direction text NOT NULL,
  show_reblogs boolean DEFAULT true NOT NULL,
  notify boolean DEFAULT false NOT NULL,
  languages text[],
  show_replies boolean DEFAULT true NOT NULL,
  daily_limit smallint,
  CONSTRAINT severed_relationships_pkey PRIMARY KEY (account_id, event_id, direction, other_account_id),
  CONSTRAINT severed_relationships_direction_check CHECK (direction = ANY (ARRAY['followed'::text, 'follower'::text]))
);
CREATE INDEX severed_relationships_event ON severed_relationships USING btree (event_id);
CREATE INDEX severed_relationships_other ON severed_relationships USING btree (other_account_id);

-- The names under which other servers know this one, as at its first start (docs/design/commands.md).
CREATE TABLE site (
  id boolean DEFAULT true NOT NULL,
  local_domain text NOT NULL,
  web_domain text NOT NULL,
  https boolean NOT NULL,
  since timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT site_pkey PRIMARY KEY (id),
  CONSTRAINT site_id_check CHECK (id)
);

CREATE TABLE spam_matches (
  id bigint DEFAULT snowflake() NOT NULL,
  rule_id bigint NOT NULL,
  account_id bigint NOT NULL,
  -- Of a post that was published.
  status_id bigint,
  -- published; held: it waits for a decision; rejected; approved, discarded: decided.
  state text NOT NULL,
  text text NOT NULL,
  -- The whole post, as long as it can still be published.
  post jsonb,
  -- What the rule did besides.
  limited boolean DEFAULT false NOT NULL,
  report_id bigint,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT spam_matches_pkey PRIMARY KEY (id),
  CONSTRAINT spam_matches_state_check CHECK (state = ANY (ARRAY['published'::text, 'held'::text, 'rejected'::text, 'approved'::text, 'discarded'::text]))
);
CREATE INDEX spam_matches_account ON spam_matches USING btree (account_id);
CREATE INDEX spam_matches_created ON spam_matches USING btree (created_at);
CREATE INDEX spam_matches_held ON spam_matches USING btree (id) WHERE state = 'held'::text;
CREATE INDEX spam_matches_report ON spam_matches USING btree (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX spam_matches_rule ON spam_matches USING btree (rule_id, id DESC);
CREATE INDEX spam_matches_status ON spam_matches USING btree (status_id) WHERE status_id IS NOT NULL;

-- Rules by which moderators stop spam, and what they matched.
CREATE TABLE spam_rules (
  id bigint DEFAULT snowflake() NOT NULL,
  -- Who made it; in their name it reports.
  account_id bigint,
  name text NOT NULL,
  conditions jsonb NOT NULL,
  actions text[] NOT NULL,
  enabled boolean DEFAULT false NOT NULL,
  -- The dry run of these conditions; null: none yet.
  tried_at timestamp with time zone,
  hits bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  -- What the last dry run of a rule found: {"looked", "matched", "accounts"}.
  tried jsonb,
  CONSTRAINT spam_rules_pkey PRIMARY KEY (id)
);
CREATE TRIGGER spam_rules_told AFTER INSERT OR DELETE OR UPDATE OF conditions, actions, enabled, name OR TRUNCATE ON spam_rules FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- Who wrote the same within the last hours: only while a rule asks for it.
CREATE TABLE spam_texts (
  hash bytea NOT NULL,
  account_id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT spam_texts_pkey PRIMARY KEY (hash, account_id)
);
CREATE INDEX spam_texts_account ON spam_texts USING btree (account_id);
CREATE INDEX spam_texts_at ON spam_texts USING btree (at);

CREATE TABLE status_edits (
  id bigint DEFAULT snowflake() NOT NULL,
  status_id bigint NOT NULL,
  text text NOT NULL,
  content text NOT NULL,
  spoiler_text text NOT NULL,
  sensitive boolean NOT NULL,
  emojis jsonb DEFAULT '[]'::jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  -- The poll options of a version.
  poll_options text[],
  -- What an earlier version showed, as it is read with a status.
  media jsonb DEFAULT '[]'::jsonb NOT NULL,
  content_type text,
  CONSTRAINT status_edits_pkey PRIMARY KEY (id)
);
CREATE INDEX status_edits_status ON status_edits USING btree (status_id, id);

-- A repeated request with the same Idempotency-Key gets the same status.
CREATE TABLE status_idempotency (
  account_id bigint NOT NULL,
  key text NOT NULL,
  status_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT status_idempotency_pkey PRIMARY KEY (account_id, key)
);
CREATE INDEX status_idempotency_created ON status_idempotency USING btree (created_at);
CREATE INDEX status_idempotency_status ON status_idempotency USING btree (status_id);

-- Public statuses by the SHA-256 of a link in them: URLs may be too long for an index.
CREATE TABLE status_links (
  url_hash bytea NOT NULL,
  status_id bigint NOT NULL,
  CONSTRAINT status_links_pkey PRIMARY KEY (url_hash, status_id)
);
CREATE INDEX status_links_status ON status_links USING btree (status_id);

CREATE TABLE status_pins (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  status_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT status_pins_account_id_status_id_key UNIQUE (account_id, status_id),
  CONSTRAINT status_pins_pkey PRIMARY KEY (id)
);
CREATE INDEX status_pins_status ON status_pins USING btree (status_id);

-- The words of searchable statuses (docs/design/search.md): positions as in
-- domain/search/words.ts; marks that begin with = are not words (=open, =from:ID, =lang:de).
CREATE TABLE status_search (
  status_id bigint NOT NULL,
  open boolean NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT status_search_pkey PRIMARY KEY (status_id)
);
ALTER TABLE status_search ALTER COLUMN words SET STATISTICS 0;
CREATE INDEX status_search_open ON status_search USING btree (status_id) WHERE open;
-- New words go into a pending list that every search scans: limited, so that the scan is quick.
CREATE INDEX status_search_words ON status_search USING gin (words) WITH (gin_pending_list_limit='512');

CREATE TABLE status_stats (
  status_id bigint NOT NULL,
  replies_count bigint DEFAULT 0 NOT NULL,
  reblogs_count bigint DEFAULT 0 NOT NULL,
  favourites_count bigint DEFAULT 0 NOT NULL,
  -- The number of approved quotes.
  quotes_count bigint DEFAULT 0 NOT NULL,
  CONSTRAINT status_stats_pkey PRIMARY KEY (status_id)
) WITH (fillfactor=70);

CREATE TABLE statuses (
  id bigint NOT NULL,
  account_id bigint NOT NULL,
  uri text NOT NULL,
  url text,
  local boolean NOT NULL,
  text text DEFAULT ''::text NOT NULL,
  content text DEFAULT ''::text NOT NULL,
  spoiler_text text DEFAULT ''::text NOT NULL,
  visibility text NOT NULL,
  sensitive boolean DEFAULT false NOT NULL,
  language text,
  in_reply_to_id bigint,
  in_reply_to_account_id bigint,
  reblog_of_id bigint,
  conversation_id bigint,
  app_id bigint,
  has_media boolean DEFAULT false NOT NULL,
  emojis jsonb DEFAULT '[]'::jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  edited_at timestamp with time zone,
  quote_policy smallint DEFAULT 0 NOT NULL,
  trendable boolean,
  -- The hash of the link that a post shows a card of; such posts are in status_links, unlisted ones, too.
  card_hash bytea,
  -- Who may answer, favourite and boost a remote post, as its author's server says. Bits: domain/statuses/interactions.ts.
  interaction_policy integer DEFAULT 0 NOT NULL,
  -- Until then only its own author sees it, and nothing follows from it.
  awaits_approval boolean NOT NULL,
  -- The authorization of the author of what it answers or boosts.
  approval_uri text,
  -- The lists that it was written for, which its author alone is told. Whom they had is in mentions, in silence.
  circle_lists bigint[],
  -- What `text` is written in, as a MIME type; null: as plain text, as everything that is there.
  content_type text,
  -- When a post is deleted (statuses/expire.ts); null: never.
  expires_at timestamp with time zone,
  CONSTRAINT statuses_pkey PRIMARY KEY (id),
  CONSTRAINT statuses_visibility_check CHECK (visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'local'::text, 'private'::text, 'local_followers'::text, 'circle'::text, 'direct'::text]))
);
-- An account's statuses, newest first; home feeds are rebuilt from it too.
CREATE INDEX statuses_account ON statuses USING btree (account_id, id DESC);
-- The media of an account, and of everybody.
CREATE INDEX statuses_account_media ON statuses USING btree (account_id, id DESC) WHERE has_media;
-- The conversations in which somebody here took part.
CREATE INDEX statuses_conversation_local ON statuses USING btree (conversation_id) WHERE local;
-- The direct timeline: what a person wrote, and where they are mentioned.
CREATE INDEX statuses_direct ON statuses USING btree (account_id, id DESC) WHERE visibility = 'direct'::text;
-- Those that end alone, in the order in which they do.
CREATE INDEX statuses_expires_at ON statuses USING btree (expires_at) WHERE expires_at IS NOT NULL;
-- Pages of remote statuses that have another address than the status.
CREATE INDEX statuses_page ON statuses USING hash (url) WHERE url <> uri AND NOT local;
-- Public timelines: all statuses, and local ones.
CREATE INDEX statuses_public ON statuses USING btree (id DESC) WHERE visibility = 'public'::text AND reblog_of_id IS NULL;
CREATE INDEX statuses_public_local ON statuses USING btree (id DESC) WHERE visibility = 'public'::text AND reblog_of_id IS NULL AND local;
CREATE INDEX statuses_public_media ON statuses USING btree (id DESC) WHERE has_media AND visibility = 'public'::text AND reblog_of_id IS NULL;
-- One reblog per account and status; also lists who reblogged.
CREATE UNIQUE INDEX statuses_reblog ON statuses USING btree (reblog_of_id, account_id) WHERE reblog_of_id IS NOT NULL;
CREATE INDEX statuses_reblogs ON statuses USING btree (reblog_of_id, id) WHERE reblog_of_id IS NOT NULL;
CREATE INDEX statuses_replies ON statuses USING btree (in_reply_to_id, id) WHERE in_reply_to_id IS NOT NULL;
CREATE INDEX statuses_reply_account ON statuses USING btree (in_reply_to_account_id) WHERE in_reply_to_account_id IS NOT NULL;
-- Unlisted posts of people here, which the weeks of activity count beside the public ones (statuses_public_local).
CREATE INDEX statuses_unlisted_local ON statuses USING btree (id DESC) WHERE (visibility = ANY (ARRAY['public'::text, 'unlisted'::text])) AND visibility <> 'public'::text AND reblog_of_id IS NULL AND local;
CREATE UNIQUE INDEX statuses_uri_key ON statuses USING btree (uri_key(uri));

CREATE TABLE statuses_tags (
  tag_id bigint NOT NULL,
  status_id bigint NOT NULL,
  -- The author of a status that everybody may see, else null. For counting an account's uses of a tag.
  account_id bigint,
  -- The tags of a post are shown in the order in which its author wrote them. Those of earlier posts have 0, and
  -- stay in the order of their ids.
  place smallint DEFAULT 0 NOT NULL,
  CONSTRAINT statuses_tags_pkey PRIMARY KEY (tag_id, status_id)
);
CREATE INDEX statuses_tags_author ON statuses_tags USING btree (account_id, tag_id, status_id) WHERE account_id IS NOT NULL;
CREATE INDEX statuses_tags_status ON statuses_tags USING btree (status_id);

-- What moderators did to an account, as the account is told.
CREATE TABLE strikes (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint,
  target_account_id bigint NOT NULL,
  action text NOT NULL,
  text text DEFAULT ''::text NOT NULL,
  report_id bigint,
  status_ids bigint[],
  evidence jsonb DEFAULT '[]'::jsonb NOT NULL,
  overruled_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT strikes_pkey PRIMARY KEY (id),
  CONSTRAINT strikes_action_check CHECK (action = ANY (ARRAY['none'::text, 'disable'::text, 'mark_statuses_as_sensitive'::text, 'delete_statuses'::text, 'sensitive'::text, 'silence'::text, 'suspend'::text]))
);
CREATE INDEX strikes_account ON strikes USING btree (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX strikes_report ON strikes USING btree (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX strikes_target ON strikes USING btree (target_account_id, id DESC);

-- Which accounts have been counted on a day.
CREATE TABLE tag_day_accounts (
  tag_id bigint NOT NULL,
  day date NOT NULL,
  account_id bigint NOT NULL,
  CONSTRAINT tag_day_accounts_pkey PRIMARY KEY (tag_id, day, account_id)
);
CREATE INDEX tag_day_accounts_day ON tag_day_accounts USING btree (day);

-- In how many public posts, and by how many accounts, a tag was used on a day (UTC).
CREATE TABLE tag_days (
  tag_id bigint NOT NULL,
  day date NOT NULL,
  uses bigint DEFAULT 0 NOT NULL,
  accounts bigint DEFAULT 0 NOT NULL,
  CONSTRAINT tag_days_pkey PRIMARY KEY (tag_id, day)
) WITH (fillfactor=70);
CREATE INDEX tag_days_day ON tag_days USING btree (day);

CREATE TABLE tag_follows (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  tag_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT tag_follows_account_id_tag_id_key UNIQUE (account_id, tag_id),
  CONSTRAINT tag_follows_pkey PRIMARY KEY (id)
);
CREATE INDEX tag_follows_account ON tag_follows USING btree (account_id, id);
CREATE INDEX tag_follows_tag ON tag_follows USING btree (tag_id, account_id);

-- Hashtags of whose threads a person wants nothing in their home (timelines/belongs.ts).
CREATE TABLE tag_mutes (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  tag_id bigint NOT NULL,
  expires_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT tag_mutes_account_id_tag_id_key UNIQUE (account_id, tag_id),
  CONSTRAINT tag_mutes_pkey PRIMARY KEY (id)
);
CREATE INDEX tag_mutes_account ON tag_mutes USING btree (account_id, id);
CREATE INDEX tag_mutes_tag ON tag_mutes USING btree (tag_id, account_id);
-- Whether there are any is cached: where there are none, nothing is asked for new posts.
CREATE TRIGGER tag_mutes_changed AFTER INSERT OR DELETE ON tag_mutes FOR EACH STATEMENT EXECUTE FUNCTION tag_mutes_changed();

CREATE TABLE tags (
  id bigint DEFAULT snowflake() NOT NULL,
  name text NOT NULL,
  display_name text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  trendable boolean,
  listable boolean,
  reviewed_at timestamp with time zone,
  requested_review_at timestamp with time zone,
  -- Whether new posts may have the tag; null: yes.
  usable boolean,
  CONSTRAINT tags_name_key UNIQUE (name),
  CONSTRAINT tags_pkey PRIMARY KEY (id)
);
-- Names by prefix, whatever the database's collation is. (LIKE with a parameter uses no index in a
-- generic plan.)
CREATE INDEX tags_prefix ON tags USING btree (name COLLATE "C");
-- Servers cache which tags new posts must not have, like settings (0008).
CREATE INDEX tags_unusable ON tags USING btree (id) WHERE usable = false;
CREATE TRIGGER tags_usable_told AFTER UPDATE OF usable ON tags FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

CREATE TABLE terms_of_service (
  id bigint DEFAULT snowflake() NOT NULL,
  effective_date date NOT NULL,
  content text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT terms_of_service_effective_date_key UNIQUE (effective_date),
  CONSTRAINT terms_of_service_pkey PRIMARY KEY (id)
);
CREATE TRIGGER terms_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON terms_of_service FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- Deleted objects and actors, also those that were deleted before this server knew them.
CREATE TABLE tombstones (
  uri text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT tombstones_pkey PRIMARY KEY (uri)
);
CREATE INDEX tombstones_created ON tombstones USING btree (created_at);

CREATE TABLE totp_secrets (
  user_id bigint NOT NULL,
  sealed bytea NOT NULL,
  confirmed_at timestamp with time zone,
  last_step bigint DEFAULT 0 NOT NULL,
  CONSTRAINT totp_secrets_pkey PRIMARY KEY (user_id)
);

CREATE TABLE trend_links (
  id bigint DEFAULT snowflake() NOT NULL,
  url_hash bytea NOT NULL,
  url text NOT NULL,
  domain text NOT NULL,
  language text,
  score double precision NOT NULL,
  history jsonb DEFAULT '[]'::jsonb NOT NULL,
  trendable boolean,
  reviewed_at timestamp with time zone,
  CONSTRAINT trend_links_url_hash_key UNIQUE (url_hash),
  CONSTRAINT trend_links_pkey PRIMARY KEY (id)
);
CREATE INDEX trend_links_domain ON trend_links USING btree (domain);

CREATE TABLE trend_publishers (
  id bigint DEFAULT snowflake() NOT NULL,
  domain text NOT NULL,
  trendable boolean,
  reviewed_at timestamp with time zone,
  requested_review_at timestamp with time zone,
  CONSTRAINT trend_publishers_domain_key UNIQUE (domain),
  CONSTRAINT trend_publishers_pkey PRIMARY KEY (id)
);

CREATE TABLE trend_statuses (
  status_id bigint NOT NULL,
  score double precision NOT NULL,
  CONSTRAINT trend_statuses_pkey PRIMARY KEY (status_id)
);

-- Current trends, computed by the job trends.refresh.
CREATE TABLE trend_tags (
  tag_id bigint NOT NULL,
  score double precision NOT NULL,
  CONSTRAINT trend_tags_pkey PRIMARY KEY (tag_id)
);

-- The weeks (Mondays, UTC) in which a person was active; the last twelve are stored.
CREATE TABLE user_weeks (
  user_id bigint NOT NULL,
  week timestamp with time zone NOT NULL,
  CONSTRAINT user_weeks_pkey PRIMARY KEY (user_id, week)
);
CREATE INDEX user_weeks_week ON user_weeks USING btree (week);

CREATE TABLE users (
  id bigint DEFAULT snowflake() NOT NULL,
  account_id bigint NOT NULL,
  email citext NOT NULL,
  password_hash text NOT NULL,
  role_id bigint DEFAULT '-99'::integer NOT NULL,
  locale text DEFAULT 'en'::text NOT NULL,
  time_zone text,
  agreed boolean DEFAULT true NOT NULL,
  sign_up_reason text,
  sign_up_ip inet,
  created_by_app_id bigint,
  confirmed_at timestamp with time zone,
  confirmation_token_hash bytea,
  confirmation_sent_at timestamp with time zone,
  approved boolean DEFAULT true NOT NULL,
  disabled boolean DEFAULT false NOT NULL,
  -- {privacy, sensitive, language, quote_policy, chosen_languages, …}: missing members have their default
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  last_active_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  -- When a person was last sent a summary of what they missed.
  digest_at timestamp with time zone,
  invite_id bigint,
  -- The date of birth was old enough; it is not stored.
  age_verified_at timestamp with time zone,
  -- When somebody of the staff was last sent the summary of the week.
  staff_digest_at timestamp with time zone,
  -- The version of the terms of service that was in force at sign-up and was agreed to, by the day from which it holds; null: there
  -- was none, or it is not known.
  agreed_terms date,
  CONSTRAINT users_account_id_key UNIQUE (account_id),
  CONSTRAINT users_confirmation_token_hash_key UNIQUE (confirmation_token_hash),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_pkey PRIMARY KEY (id)
);
CREATE INDEX users_active ON users USING btree (last_active_at);
CREATE INDEX users_created ON users USING btree (created_at);
CREATE INDEX users_created_by_app ON users USING btree (created_by_app_id) WHERE created_by_app_id IS NOT NULL;
CREATE INDEX users_disabled ON users USING btree (account_id DESC) WHERE disabled;
CREATE INDEX users_email_prefix ON users USING btree (lower(email::text) COLLATE "C");
CREATE INDEX users_invite ON users USING btree (invite_id) WHERE invite_id IS NOT NULL;
CREATE INDEX users_pending ON users USING btree (account_id DESC) WHERE NOT approved;
CREATE INDEX users_role ON users USING btree (role_id, account_id DESC) WHERE role_id <> '-99'::integer;
CREATE INDEX users_sign_up_ip ON users USING gist (sign_up_ip inet_ops);
CREATE TRIGGER users_credentials AFTER UPDATE OF role_id, locale, confirmed_at, approved, disabled, settings ON users FOR EACH ROW WHEN (old.role_id IS DISTINCT FROM new.role_id OR old.locale IS DISTINCT FROM new.locale OR old.confirmed_at IS DISTINCT FROM new.confirmed_at OR old.approved IS DISTINCT FROM new.approved OR old.disabled IS DISTINCT FROM new.disabled OR old.settings IS DISTINCT FROM new.settings) EXECUTE FUNCTION tell_credentials('user');
CREATE TRIGGER users_owner_changed_told AFTER UPDATE OF role_id ON users FOR EACH ROW WHEN (old.role_id = 3 OR new.role_id = 3) EXECUTE FUNCTION tell_settings();
CREATE TRIGGER users_owner_gone_told AFTER DELETE ON users FOR EACH ROW WHEN (old.role_id = 3) EXECUTE FUNCTION tell_settings();
CREATE TRIGGER users_owner_told AFTER INSERT ON users FOR EACH ROW WHEN (new.role_id = 3) EXECUTE FUNCTION tell_settings();

-- Texts for warnings that moderators send often.
CREATE TABLE warning_presets (
  id bigint DEFAULT snowflake() NOT NULL,
  title text DEFAULT ''::text NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT warning_presets_pkey PRIMARY KEY (id)
);

CREATE TABLE webhooks (
  id bigint DEFAULT snowflake() NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  secret text NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  last_result text DEFAULT ''::text NOT NULL,
  last_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhooks_url_key UNIQUE (url),
  CONSTRAINT webhooks_pkey PRIMARY KEY (id)
);

-- Which worker processes run, each with a lease that it renews; what a process claims carries its id
-- (docs/design/several-processes.md). Without rows the only process has claimed everything.
CREATE TABLE workers (
  id uuid NOT NULL,
  -- Under which names it locks jobs.
  pools text[] DEFAULT '{}'::text[] NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT workers_pkey PRIMARY KEY (id)
) WITH (fillfactor=50);

CREATE TABLE seen_activities_0 PARTITION OF seen_activities FOR VALUES IN ('0');

CREATE TABLE seen_activities_1 PARTITION OF seen_activities FOR VALUES IN ('1');

CREATE TABLE seen_activities_2 PARTITION OF seen_activities FOR VALUES IN ('2');

ALTER TABLE account_conversation_statuses
  ADD CONSTRAINT account_conversation_statuses_account_conversation_id_fkey FOREIGN KEY (account_conversation_id) REFERENCES account_conversations(id) ON DELETE CASCADE,
  ADD CONSTRAINT account_conversation_statuses_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE account_conversations
  ADD CONSTRAINT account_conversations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_deletions
  ADD CONSTRAINT account_deletions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_domain_blocks
  ADD CONSTRAINT account_domain_blocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_keys
  ADD CONSTRAINT account_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_moves
  ADD CONSTRAINT account_moves_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT account_moves_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_notes
  ADD CONSTRAINT account_notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT account_notes_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_remarks
  ADD CONSTRAINT account_remarks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  ADD CONSTRAINT account_remarks_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_stats
  ADD CONSTRAINT account_stats_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE accounts
  ADD CONSTRAINT accounts_moved_to_account_id_fkey FOREIGN KEY (moved_to_account_id) REFERENCES accounts(id) ON DELETE SET NULL;

ALTER TABLE announcement_dismissals
  ADD CONSTRAINT announcement_dismissals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT announcement_dismissals_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id) ON DELETE CASCADE;

ALTER TABLE announcement_reactions
  ADD CONSTRAINT announcement_reactions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT announcement_reactions_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id) ON DELETE CASCADE;

ALTER TABLE annual_reports
  ADD CONSTRAINT annual_reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE appeals
  ADD CONSTRAINT appeals_decided_by_account_id_fkey FOREIGN KEY (decided_by_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  ADD CONSTRAINT appeals_strike_id_fkey FOREIGN KEY (strike_id) REFERENCES strikes(id) ON DELETE CASCADE;

ALTER TABLE archives
  ADD CONSTRAINT archives_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE assertion_keys
  ADD CONSTRAINT assertion_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE blocks
  ADD CONSTRAINT blocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT blocks_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE bookmarks
  ADD CONSTRAINT bookmarks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT bookmarks_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE cleanup_policies
  ADD CONSTRAINT cleanup_policies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE collection_items
  ADD CONSTRAINT collection_items_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT collection_items_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE;

ALTER TABLE collections
  ADD CONSTRAINT collections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE conversation_mutes
  ADD CONSTRAINT conversation_mutes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE crypto_devices
  ADD CONSTRAINT crypto_devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT crypto_devices_token_id_fkey FOREIGN KEY (token_id) REFERENCES oauth_tokens(id) ON DELETE CASCADE;

ALTER TABLE crypto_messages
  ADD CONSTRAINT crypto_messages_device_id_fkey FOREIGN KEY (device_id) REFERENCES crypto_devices(id) ON DELETE CASCADE,
  ADD CONSTRAINT crypto_messages_from_account_id_fkey FOREIGN KEY (from_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE crypto_one_time_keys
  ADD CONSTRAINT crypto_one_time_keys_device_id_fkey FOREIGN KEY (device_id) REFERENCES crypto_devices(id) ON DELETE CASCADE;

ALTER TABLE dismissed_suggestions
  ADD CONSTRAINT dismissed_suggestions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT dismissed_suggestions_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE domain_list_blocks
  ADD CONSTRAINT domain_list_blocks_block_id_fkey FOREIGN KEY (block_id) REFERENCES domain_blocks(id) ON DELETE CASCADE;

ALTER TABLE domain_list_entries
  ADD CONSTRAINT domain_list_entries_list_id_fkey FOREIGN KEY (list_id) REFERENCES domain_lists(id) ON DELETE CASCADE;

ALTER TABLE drafts
  ADD CONSTRAINT drafts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE email_changes
  ADD CONSTRAINT email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE email_domain_block_tries
  ADD CONSTRAINT email_domain_block_tries_block_id_fkey FOREIGN KEY (block_id) REFERENCES email_domain_blocks(id) ON DELETE CASCADE;

ALTER TABLE endorsements
  ADD CONSTRAINT endorsements_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT endorsements_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE favourites
  ADD CONSTRAINT favourites_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT favourites_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE featured_tags
  ADD CONSTRAINT featured_tags_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT featured_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;

ALTER TABLE filter_keywords
  ADD CONSTRAINT filter_keywords_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES filters(id) ON DELETE CASCADE;

ALTER TABLE filter_statuses
  ADD CONSTRAINT filter_statuses_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES filters(id) ON DELETE CASCADE,
  ADD CONSTRAINT filter_statuses_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE filters
  ADD CONSTRAINT filters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE follow_requests
  ADD CONSTRAINT follow_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT follow_requests_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE follower_digests
  ADD CONSTRAINT follower_digests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE follows
  ADD CONSTRAINT follows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT follows_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE former_follows
  ADD CONSTRAINT former_follows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT former_follows_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE further_reactions
  ADD CONSTRAINT further_reactions_favourite_id_fkey FOREIGN KEY (favourite_id) REFERENCES favourites(id) ON DELETE CASCADE;

ALTER TABLE import_rows
  ADD CONSTRAINT import_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE;

ALTER TABLE imported_posts
  ADD CONSTRAINT imported_posts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT imported_posts_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE imports
  ADD CONSTRAINT imports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE invites
  ADD CONSTRAINT invites_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE list_accounts
  ADD CONSTRAINT list_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT list_accounts_list_id_owner_id_exclusive_fkey FOREIGN KEY (list_id, owner_id, exclusive) REFERENCES lists(id, account_id, exclusive) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE lists
  ADD CONSTRAINT lists_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE markers
  ADD CONSTRAINT markers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE media_attachments
  ADD CONSTRAINT media_attachments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT media_attachments_detached_from_fkey FOREIGN KEY (detached_from) REFERENCES statuses(id) ON DELETE CASCADE,
  ADD CONSTRAINT media_attachments_draft_id_fkey FOREIGN KEY (draft_id) REFERENCES drafts(id) ON DELETE SET NULL,
  ADD CONSTRAINT media_attachments_scheduled_id_fkey FOREIGN KEY (scheduled_id) REFERENCES scheduled_statuses(id) ON DELETE SET NULL,
  ADD CONSTRAINT media_attachments_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE mentions
  ADD CONSTRAINT mentions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT mentions_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE mutes
  ADD CONSTRAINT mutes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT mutes_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE notification_clears
  ADD CONSTRAINT notification_clears_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE notification_groups
  ADD CONSTRAINT notification_groups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE notification_permissions
  ADD CONSTRAINT notification_permissions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT notification_permissions_from_account_id_fkey FOREIGN KEY (from_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE notification_policies
  ADD CONSTRAINT notification_policies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE notification_requests
  ADD CONSTRAINT notification_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT notification_requests_from_account_id_fkey FOREIGN KEY (from_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE notifications
  ADD CONSTRAINT notifications_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT notifications_from_account_id_fkey FOREIGN KEY (from_account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT notifications_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE oauth_codes
  ADD CONSTRAINT oauth_codes_app_id_fkey FOREIGN KEY (app_id) REFERENCES oauth_apps(id) ON DELETE CASCADE,
  ADD CONSTRAINT oauth_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE oauth_tokens
  ADD CONSTRAINT oauth_tokens_app_id_fkey FOREIGN KEY (app_id) REFERENCES oauth_apps(id) ON DELETE CASCADE,
  ADD CONSTRAINT oauth_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE passkeys
  ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE password_resets
  ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE poll_votes
  ADD CONSTRAINT poll_votes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT poll_votes_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES polls(id) ON DELETE CASCADE;

ALTER TABLE polls
  ADD CONSTRAINT polls_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE preview_cards
  ADD CONSTRAINT preview_cards_creator_account_id_fkey FOREIGN KEY (creator_account_id) REFERENCES accounts(id) ON DELETE SET NULL;

ALTER TABLE push_subscriptions
  ADD CONSTRAINT push_subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  ADD CONSTRAINT push_subscriptions_token_id_fkey FOREIGN KEY (token_id) REFERENCES oauth_tokens(id) ON DELETE CASCADE;

ALTER TABLE quotes
  ADD CONSTRAINT quotes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT quotes_quoted_account_id_fkey FOREIGN KEY (quoted_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  ADD CONSTRAINT quotes_quoted_status_id_fkey FOREIGN KEY (quoted_status_id) REFERENCES statuses(id) ON DELETE SET NULL,
  ADD CONSTRAINT quotes_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE recovery_codes
  ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE reports
  ADD CONSTRAINT reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT reports_action_taken_by_account_id_fkey FOREIGN KEY (action_taken_by_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  ADD CONSTRAINT reports_assigned_account_id_fkey FOREIGN KEY (assigned_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  ADD CONSTRAINT reports_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE saved_searches
  ADD CONSTRAINT saved_searches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE scheduled_statuses
  ADD CONSTRAINT scheduled_statuses_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT scheduled_statuses_app_id_fkey FOREIGN KEY (app_id) REFERENCES oauth_apps(id) ON DELETE SET NULL;

ALTER TABLE search_backlog
  ADD CONSTRAINT search_backlog_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE sessions
  ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE severed_relationships
  ADD CONSTRAINT severed_relationships_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT severed_relationships_event_id_fkey FOREIGN KEY (event_id) REFERENCES severance_events(id) ON DELETE CASCADE,
  ADD CONSTRAINT severed_relationships_other_account_id_fkey FOREIGN KEY (other_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE spam_matches
  ADD CONSTRAINT spam_matches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT spam_matches_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE SET NULL,
  ADD CONSTRAINT spam_matches_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES spam_rules(id) ON DELETE CASCADE,
  ADD CONSTRAINT spam_matches_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE SET NULL;

ALTER TABLE spam_rules
  ADD CONSTRAINT spam_rules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL;

ALTER TABLE spam_texts
  ADD CONSTRAINT spam_texts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE status_edits
  ADD CONSTRAINT status_edits_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE status_idempotency
  ADD CONSTRAINT status_idempotency_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT status_idempotency_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE status_links
  ADD CONSTRAINT status_links_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE status_pins
  ADD CONSTRAINT status_pins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT status_pins_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE status_search
  ADD CONSTRAINT status_search_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE status_stats
  ADD CONSTRAINT status_stats_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE statuses
  ADD CONSTRAINT statuses_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT statuses_in_reply_to_account_id_fkey FOREIGN KEY (in_reply_to_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  ADD CONSTRAINT statuses_in_reply_to_id_fkey FOREIGN KEY (in_reply_to_id) REFERENCES statuses(id) ON DELETE SET NULL,
  ADD CONSTRAINT statuses_reblog_of_id_fkey FOREIGN KEY (reblog_of_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE statuses_tags
  ADD CONSTRAINT statuses_tags_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE,
  ADD CONSTRAINT statuses_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;

ALTER TABLE strikes
  ADD CONSTRAINT strikes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  ADD CONSTRAINT strikes_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE SET NULL,
  ADD CONSTRAINT strikes_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE tag_day_accounts
  ADD CONSTRAINT tag_day_accounts_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;

ALTER TABLE tag_days
  ADD CONSTRAINT tag_days_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;

ALTER TABLE tag_follows
  ADD CONSTRAINT tag_follows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT tag_follows_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;

ALTER TABLE tag_mutes
  ADD CONSTRAINT tag_mutes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT tag_mutes_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;

ALTER TABLE totp_secrets
  ADD CONSTRAINT totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE trend_statuses
  ADD CONSTRAINT trend_statuses_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE;

ALTER TABLE trend_tags
  ADD CONSTRAINT trend_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;

ALTER TABLE user_weeks
  ADD CONSTRAINT user_weeks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE users
  ADD CONSTRAINT users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  ADD CONSTRAINT users_created_by_app_id_fkey FOREIGN KEY (created_by_app_id) REFERENCES oauth_apps(id) ON DELETE SET NULL,
  ADD CONSTRAINT users_invite_id_fkey FOREIGN KEY (invite_id) REFERENCES invites(id) ON DELETE SET NULL,
  ADD CONSTRAINT users_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id);

INSERT INTO roles (id, name, color, permissions, highlighted, "position", created_at, max_characters) VALUES
  ('-99', '', '', '65536', 'false', '-1', '2026-11-28 19:52:13.508107+00', NULL),
  ('1', 'Moderator', '', '1308', 'true', '10', '2026-11-28 19:52:13.508107+00', NULL),
  ('2', 'Admin', '', '983036', 'true', '100', '2026-11-28 19:52:13.508107+00', NULL),
  ('3', 'Owner', '', '1', 'true', '1000', '2026-11-28 19:52:13.508107+00', NULL);
