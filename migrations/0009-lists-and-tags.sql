-- Lists of accounts; followed and featured hashtags, and how much each hashtag is used; links in public
-- statuses.

CREATE TABLE lists (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  title text NOT NULL,
  replies_policy text NOT NULL DEFAULT 'list' CHECK (replies_policy IN ('followed', 'list', 'none')),
  exclusive boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (id, account_id, exclusive)
);

CREATE INDEX lists_account ON lists (account_id, id);

-- Owner and exclusiveness are copied from the list (by the foreign key), so that fan-out needs no join.
CREATE TABLE list_accounts (
  list_id bigint NOT NULL,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  owner_id bigint NOT NULL,
  exclusive boolean NOT NULL,
  PRIMARY KEY (list_id, account_id),
  FOREIGN KEY (list_id, owner_id, exclusive) REFERENCES lists (id, account_id, exclusive)
    ON UPDATE CASCADE ON DELETE CASCADE
);

-- Fan-out: the lists that contain an author, and the home feeds that exclude an author.
CREATE INDEX list_accounts_member ON list_accounts (account_id, list_id);
CREATE INDEX list_accounts_exclusive ON list_accounts (account_id, owner_id) WHERE exclusive;
-- By owner: the lists that contain an account, and the accounts excluded from the home feed.
CREATE INDEX list_accounts_owner ON list_accounts (owner_id, account_id);

-- An account that its owner no longer follows or asks to follow leaves the owner's lists.
CREATE FUNCTION leave_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM list_accounts
  WHERE owner_id = OLD.account_id AND account_id = OLD.target_account_id
    AND NOT EXISTS (SELECT FROM follows f
      WHERE f.account_id = OLD.account_id AND f.target_account_id = OLD.target_account_id)
    AND NOT EXISTS (SELECT FROM follow_requests r
      WHERE r.account_id = OLD.account_id AND r.target_account_id = OLD.target_account_id);
  RETURN NULL;
END
$$;

CREATE TRIGGER follows_leave_lists AFTER DELETE ON follows
  FOR EACH ROW EXECUTE FUNCTION leave_lists();
CREATE TRIGGER follow_requests_leave_lists AFTER DELETE ON follow_requests
  FOR EACH ROW EXECUTE FUNCTION leave_lists();

-- The author of a status that everybody may see, else null. For counting an account's uses of a tag.
ALTER TABLE statuses_tags ADD COLUMN account_id bigint;
UPDATE statuses_tags st SET account_id = s.account_id
FROM statuses s WHERE s.id = st.status_id AND s.visibility IN ('public', 'unlisted');
CREATE INDEX statuses_tags_author ON statuses_tags (account_id, tag_id, status_id)
  WHERE account_id IS NOT NULL;

CREATE TABLE tag_follows (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  tag_id bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, tag_id)
);

CREATE INDEX tag_follows_account ON tag_follows (account_id, id);
CREATE INDEX tag_follows_tag ON tag_follows (tag_id, account_id);

CREATE TABLE featured_tags (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  tag_id bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  name text NOT NULL,                     -- as the person wrote it
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, tag_id)
);

CREATE INDEX featured_tags_tag ON featured_tags (tag_id);

-- The URL of a remote actor's featured tags.
ALTER TABLE accounts ADD COLUMN featured_tags_url text;

-- In how many public posts, and by how many accounts, a tag was used on a day (UTC).
CREATE TABLE tag_days (
  tag_id bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  day date NOT NULL,
  uses bigint NOT NULL DEFAULT 0,
  accounts bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tag_id, day)
) WITH (fillfactor = 70);

CREATE INDEX tag_days_day ON tag_days (day);

-- Which accounts have been counted on a day.
CREATE TABLE tag_day_accounts (
  tag_id bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  day date NOT NULL,
  account_id bigint NOT NULL,
  PRIMARY KEY (tag_id, day, account_id)
);

CREATE INDEX tag_day_accounts_day ON tag_day_accounts (day);

-- Public statuses by the SHA-256 of a link in them: URLs may be too long for an index.
CREATE TABLE status_links (
  url_hash bytea NOT NULL,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  PRIMARY KEY (url_hash, status_id)
);

CREATE INDEX status_links_status ON status_links (status_id);
