-- Full-text search and trends.

-- The words of searchable statuses (docs/design/search.md): positions as in
-- domain/search/words.ts; marks that begin with = are not words (=open, =from:ID, =lang:de).
CREATE TABLE status_search (
  status_id bigint PRIMARY KEY REFERENCES statuses (id) ON DELETE CASCADE,
  open boolean NOT NULL,                  -- everybody may find it; it has the mark =open too
  words tsvector NOT NULL
);

-- Plans are generic (platform/db), so statistics of words would not be used.
ALTER TABLE status_search ALTER COLUMN words SET STATISTICS 0;
-- New words go into a pending list that every search scans: limited, so that the scan is quick.
CREATE INDEX status_search_words ON status_search USING gin (words)
  WITH (gin_pending_list_limit = 512);
CREATE INDEX status_search_open ON status_search (status_id) WHERE open;

-- Accounts that have just allowed search and whose older posts are not indexed yet.
CREATE TABLE search_backlog (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  before_id bigint NOT NULL DEFAULT 9223372036854775807
);

-- When an account disallows search, its posts can no longer be found from that moment on.
CREATE FUNCTION open_search() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;

CREATE TRIGGER accounts_open_search AFTER UPDATE OF indexable ON accounts
  FOR EACH ROW WHEN (OLD.indexable <> NEW.indexable) EXECUTE FUNCTION open_search();

-- Names by prefix, whatever the database's collation is. (LIKE with a parameter uses no index in a
-- generic plan.)
CREATE INDEX tags_prefix ON tags (name COLLATE "C");
CREATE INDEX accounts_username_prefix ON accounts (lower(username::text) COLLATE "C");

-- Decisions of moderators on tags, accounts, statuses, links and servers; null: none yet.
ALTER TABLE tags
  ADD COLUMN trendable boolean,
  ADD COLUMN listable boolean,            -- search may find it
  ADD COLUMN reviewed_at timestamptz,
  ADD COLUMN requested_review_at timestamptz;

ALTER TABLE accounts
  ADD COLUMN trendable boolean,
  ADD COLUMN reviewed_at timestamptz,
  ADD COLUMN requested_review_at timestamptz;

ALTER TABLE statuses ADD COLUMN trendable boolean;

CREATE TABLE trend_publishers (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  domain text NOT NULL UNIQUE,
  trendable boolean,
  reviewed_at timestamptz,
  requested_review_at timestamptz
);

-- Current trends, computed by the job trends.refresh.
CREATE TABLE trend_tags (
  tag_id bigint PRIMARY KEY REFERENCES tags (id) ON DELETE CASCADE,
  score double precision NOT NULL
);

CREATE TABLE trend_statuses (
  status_id bigint PRIMARY KEY REFERENCES statuses (id) ON DELETE CASCADE,
  score double precision NOT NULL
);

CREATE TABLE trend_links (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  url_hash bytea NOT NULL UNIQUE,         -- as in status_links
  url text NOT NULL,
  domain text NOT NULL,
  language text,                          -- the language of most posts with the link
  score double precision NOT NULL,        -- 0: no longer used; the row stays for the moderators' decision
  history jsonb NOT NULL DEFAULT '[]',    -- [{day, uses, accounts}]
  trendable boolean,
  reviewed_at timestamptz
);

CREATE INDEX trend_links_domain ON trend_links (domain);
