-- What is searched for, and what trends.

-- The words of the statuses that somebody may find (docs/decisions/0018-search.md): positions by
-- domain/search/words.ts, marks that begin with = for what is no word (=open, =from:ID, =lang:de).
CREATE TABLE status_search (
  status_id bigint PRIMARY KEY REFERENCES statuses (id) ON DELETE CASCADE,
  open boolean NOT NULL,                  -- everybody may find it; has the mark =open too
  words tsvector NOT NULL
);

-- Plans are generic (platform/db): statistics of words would be gathered for nobody.
ALTER TABLE status_search ALTER COLUMN words SET STATISTICS 0;
-- New words wait in a list that every search reads: short, so that it is read in a moment.
CREATE INDEX status_search_words ON status_search USING gin (words)
  WITH (gin_pending_list_limit = 512);
CREATE INDEX status_search_open ON status_search (status_id) WHERE open;

-- Whose older posts are still to be made findable: those who have just allowed it.
CREATE TABLE search_backlog (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  before_id bigint NOT NULL DEFAULT 9223372036854775807
);

-- Who does not want to be found any more is not, from that moment on.
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

-- Names by their beginning, whatever the database's collation is. (LIKE with a parameter finds no
-- index in a generic plan.)
CREATE INDEX tags_prefix ON tags (name COLLATE "C");
CREATE INDEX accounts_username_prefix ON accounts (lower(username::text) COLLATE "C");

-- What moderators said of tags, people, statuses, addresses and servers: null, nothing yet.
ALTER TABLE tags
  ADD COLUMN trendable boolean,
  ADD COLUMN listable boolean,            -- found by search
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

-- What is much used just now, made anew by the job trends.refresh.
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
  language text,                          -- in which most of those who link it write
  score double precision NOT NULL,        -- 0: no longer used; kept for what was said of it
  history jsonb NOT NULL DEFAULT '[]',    -- [{day, uses, accounts}]
  trendable boolean,
  reviewed_at timestamptz
);

CREATE INDEX trend_links_domain ON trend_links (domain);
