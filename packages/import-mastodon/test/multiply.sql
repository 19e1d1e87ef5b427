-- Copies of what people posted and did, each some minutes older than the one before: `$first` to `$last` is which copies
-- (negative: newer), fifty of which have accounts of their own. Ids of posts are made of the time, as there. What the data
-- itself has is in the schema `real`. `$stamp`: when they changed last.


CREATE FUNCTION pg_temp.age(k bigint) RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT k * interval '20 minutes' $$;
-- 20 minutes in milliseconds, above two bytes.
CREATE FUNCTION pg_temp.flake(id bigint, k bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT id - k * 78643200000 $$;
CREATE FUNCTION pg_temp.world(k bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN k <= 0 THEN 0 ELSE (k - 1) / 50 + 1 END
$$;
CREATE FUNCTION pg_temp.account(id bigint, k bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN id < 0 THEN id ELSE pg_temp.flake(id, 50 * pg_temp.world(k)) END
$$;
CREATE FUNCTION pg_temp.serial(id bigint, k bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT id + (k + 1000) * 1000 $$;
CREATE FUNCTION pg_temp.name(name text, k bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN pg_temp.world(k) = 0 THEN name ELSE left(name, 20) || '_' || pg_temp.world(k) END
$$;

CREATE TEMP TABLE copies AS SELECT k::bigint FROM generate_series($first, $last) k WHERE k <> 0;
CREATE TEMP TABLE worlds AS SELECT min(k) AS k FROM copies WHERE k > 0 GROUP BY pg_temp.world(k);
CREATE TEMP TABLE own AS SELECT s.* FROM statuses s JOIN real.statuses USING (id);
CREATE TEMP TABLE people AS SELECT a.* FROM accounts a JOIN real.accounts USING (id) WHERE id > 0;

INSERT INTO accounts (id, username, domain, private_key, public_key, created_at, updated_at, note, display_name, uri, url,
  avatar_remote_url, locked, header_remote_url, last_webfingered_at, inbox_url, outbox_url, shared_inbox_url, followers_url,
  protocol, memorial, featured_collection_url, fields, actor_type, discoverable, also_known_as, silenced_at, suspended_at,
  hide_collections, sensitized_at, suspension_origin, indexable, attribution_domains)
SELECT pg_temp.account(a.id, k), pg_temp.name(username, k), domain, private_key, public_key, created_at - pg_temp.age(k),
  updated_at - pg_temp.age(k), note, display_name, CASE WHEN domain IS NULL THEN '' ELSE uri || '_' || pg_temp.world(k) END,
  CASE WHEN domain IS NULL THEN NULL ELSE url || '_' || pg_temp.world(k) END, avatar_remote_url, locked, header_remote_url,
  last_webfingered_at, inbox_url, outbox_url, shared_inbox_url, followers_url, protocol, memorial, featured_collection_url,
  fields, actor_type, discoverable, also_known_as, silenced_at, suspended_at, hide_collections, sensitized_at,
  suspension_origin, indexable, attribution_domains
FROM people a, worlds;
INSERT INTO account_stats (account_id, statuses_count, following_count, followers_count, created_at, updated_at, last_status_at)
SELECT pg_temp.account(account_id, k), statuses_count * 50, following_count, followers_count, created_at, updated_at, last_status_at
FROM account_stats, worlds WHERE account_id IN (SELECT id FROM people);
INSERT INTO users (email, created_at, updated_at, encrypted_password, current_sign_in_at, confirmed_at, locale, account_id,
  approved, role_id, settings, time_zone)
SELECT pg_temp.world(k) || '_' || email, created_at, updated_at, encrypted_password, current_sign_in_at, confirmed_at, locale,
  pg_temp.account(account_id, k), approved, role_id, settings, time_zone
FROM users, worlds WHERE account_id IN (SELECT id FROM people);
INSERT INTO follows (created_at, updated_at, account_id, target_account_id, show_reblogs, uri, notify, languages)
SELECT created_at - pg_temp.age(k), updated_at - pg_temp.age(k), pg_temp.account(account_id, k),
  pg_temp.account(target_account_id, k), show_reblogs, uri || '_' || k, notify, languages
FROM follows, worlds WHERE account_id IN (SELECT id FROM people) AND target_account_id IN (SELECT id FROM people);

INSERT INTO conversations (id, uri, created_at, updated_at)
SELECT DISTINCT pg_temp.serial(c.id, k), c.uri || '_' || k, c.created_at - pg_temp.age(k), $stamp
FROM conversations c JOIN own ON own.conversation_id = c.id, copies;
INSERT INTO statuses (id, uri, text, created_at, updated_at, in_reply_to_id, reblog_of_id, url, sensitive, visibility,
  spoiler_text, reply, language, conversation_id, local, account_id, application_id, in_reply_to_account_id, poll_id,
  deleted_at, edited_at, trendable, ordered_media_attachment_ids)
SELECT pg_temp.flake(s.id, k),
  CASE WHEN s.local THEN 'https://old.test/users/' || pg_temp.name(a.username, k) || '/statuses/' || pg_temp.flake(s.id, k)
      || CASE WHEN s.reblog_of_id IS NULL THEN '' ELSE '/activity' END
    ELSE s.uri || '_' || k END,
  s.text, s.created_at - pg_temp.age(k), $stamp, pg_temp.flake(s.in_reply_to_id, k), pg_temp.flake(s.reblog_of_id, k),
  CASE WHEN s.local THEN NULL ELSE s.url || '_' || k END, s.sensitive, s.visibility, s.spoiler_text, s.reply, s.language,
  pg_temp.serial(s.conversation_id, k), s.local, pg_temp.account(s.account_id, k), s.application_id,
  pg_temp.account(s.in_reply_to_account_id, k), pg_temp.serial(s.poll_id, k), s.deleted_at - pg_temp.age(k),
  s.edited_at - pg_temp.age(k), s.trendable,
  (SELECT array_agg(pg_temp.flake(m, k)) FROM unnest(s.ordered_media_attachment_ids) m)
FROM own s JOIN accounts a ON a.id = s.account_id, copies;
INSERT INTO status_stats (status_id, replies_count, reblogs_count, favourites_count, created_at, updated_at)
SELECT pg_temp.flake(status_id, k), replies_count, reblogs_count, favourites_count, t.created_at, $stamp
FROM status_stats t JOIN own s ON s.id = t.status_id, copies;
INSERT INTO media_attachments (id, status_id, file_content_type, file_file_size, remote_url, created_at, updated_at, type,
  file_meta, account_id, description, blurhash)
SELECT pg_temp.flake(m.id, k), pg_temp.flake(m.status_id, k), m.file_content_type, m.file_file_size,
  'https://friend.test/files/' || m.id || '/' || k || '.png', m.created_at - pg_temp.age(k), $stamp, m.type, m.file_meta,
  pg_temp.account(m.account_id, k), m.description, m.blurhash
FROM media_attachments m JOIN own s ON s.id = m.status_id, copies;
INSERT INTO polls (id, account_id, status_id, expires_at, options, cached_tallies, multiple, hide_totals, votes_count,
  created_at, updated_at, voters_count)
SELECT pg_temp.serial(p.id, k), pg_temp.account(p.account_id, k), pg_temp.flake(p.status_id, k), p.expires_at - pg_temp.age(k),
  options, cached_tallies, multiple, hide_totals, votes_count, p.created_at - pg_temp.age(k), $stamp, voters_count
FROM polls p JOIN own s ON s.id = p.status_id, copies;
INSERT INTO poll_votes (id, account_id, poll_id, choice, created_at, updated_at)
SELECT pg_temp.serial(v.id, k), pg_temp.account(v.account_id, k), pg_temp.serial(v.poll_id, k), choice,
  v.created_at - pg_temp.age(k), $stamp
FROM poll_votes v JOIN own s ON s.poll_id = v.poll_id, copies;
INSERT INTO status_edits (id, status_id, account_id, text, spoiler_text, created_at, updated_at, poll_options, sensitive)
SELECT pg_temp.serial(e.id, k), pg_temp.flake(e.status_id, k), pg_temp.account(e.account_id, k), e.text, e.spoiler_text,
  e.created_at - pg_temp.age(k), $stamp, e.poll_options, e.sensitive
FROM status_edits e JOIN own s ON s.id = e.status_id, copies;
INSERT INTO mentions (id, status_id, account_id, silent, created_at, updated_at)
SELECT pg_temp.serial(m.id, k), pg_temp.flake(m.status_id, k), pg_temp.account(m.account_id, k), silent,
  m.created_at - pg_temp.age(k), $stamp
FROM mentions m JOIN own s ON s.id = m.status_id, copies;
INSERT INTO statuses_tags (status_id, tag_id)
SELECT pg_temp.flake(t.status_id, k), t.tag_id FROM statuses_tags t JOIN own s ON s.id = t.status_id, copies;
INSERT INTO preview_cards_statuses (preview_card_id, status_id)
SELECT c.preview_card_id, pg_temp.flake(c.status_id, k) FROM preview_cards_statuses c JOIN own s ON s.id = c.status_id, copies;
INSERT INTO favourites (id, account_id, status_id, created_at, updated_at)
SELECT pg_temp.serial(f.id, k), pg_temp.account(f.account_id, k), pg_temp.flake(f.status_id, k),
  f.created_at - pg_temp.age(k), $stamp
FROM favourites f JOIN own s ON s.id = f.status_id, copies;
INSERT INTO bookmarks (id, account_id, status_id, created_at, updated_at)
SELECT pg_temp.serial(f.id, k), pg_temp.account(f.account_id, k), pg_temp.flake(f.status_id, k),
  f.created_at - pg_temp.age(k), $stamp
FROM bookmarks f JOIN own s ON s.id = f.status_id, copies;
INSERT INTO notifications (id, activity_id, activity_type, created_at, updated_at, account_id, from_account_id, type, filtered,
  group_key)
SELECT pg_temp.serial(n.id, k),
  CASE n.activity_type WHEN 'Status' THEN pg_temp.flake(n.activity_id, k) ELSE pg_temp.serial(n.activity_id, k) END,
  n.activity_type, n.created_at - pg_temp.age(k), $stamp, pg_temp.account(n.account_id, k),
  pg_temp.account(n.from_account_id, k), n.type, n.filtered, n.group_key || '-' || k
FROM notifications n, copies
WHERE n.activity_type IN ('Mention', 'Favourite', 'Status') AND n.id IN (SELECT id FROM real.notifications);
