-- Statuses and what people do with them.

CREATE TABLE conversations (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  uri text UNIQUE,                        -- null: a local conversation
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE statuses (
  id bigint PRIMARY KEY,                  -- snowflake(created_at)
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  uri text NOT NULL,
  url text,
  local boolean NOT NULL,
  text text NOT NULL DEFAULT '',          -- as written; empty for remote statuses
  content text NOT NULL DEFAULT '',       -- HTML, rendered or sanitised once
  spoiler_text text NOT NULL DEFAULT '',
  visibility text NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private', 'direct')),
  sensitive boolean NOT NULL DEFAULT false,
  language text,
  in_reply_to_id bigint REFERENCES statuses (id) ON DELETE SET NULL,
  in_reply_to_account_id bigint REFERENCES accounts (id) ON DELETE SET NULL,
  reblog_of_id bigint REFERENCES statuses (id) ON DELETE CASCADE,
  conversation_id bigint REFERENCES conversations (id) ON DELETE SET NULL,
  app_id bigint REFERENCES oauth_apps (id) ON DELETE SET NULL,
  has_media boolean NOT NULL DEFAULT false,
  emojis jsonb NOT NULL DEFAULT '[]',     -- [{shortcode, url, static_url}]
  quote_policy text NOT NULL DEFAULT 'nobody',
  created_at timestamptz NOT NULL,
  edited_at timestamptz
);

CREATE UNIQUE INDEX statuses_uri ON statuses (uri);
CREATE INDEX statuses_url ON statuses (url) WHERE url IS NOT NULL AND NOT local;
-- An account's statuses, newest first; home feeds are rebuilt from it too.
CREATE INDEX statuses_account ON statuses (account_id, id DESC);
-- Public timelines: all statuses, and local ones.
CREATE INDEX statuses_public ON statuses (id DESC)
  WHERE visibility = 'public' AND reblog_of_id IS NULL;
CREATE INDEX statuses_public_local ON statuses (id DESC)
  WHERE visibility = 'public' AND reblog_of_id IS NULL AND local;
CREATE INDEX statuses_replies ON statuses (in_reply_to_id, id) WHERE in_reply_to_id IS NOT NULL;
-- One reblog per account and status; also lists who reblogged.
CREATE UNIQUE INDEX statuses_reblog ON statuses (reblog_of_id, account_id)
  WHERE reblog_of_id IS NOT NULL;
CREATE INDEX statuses_reblogs ON statuses (reblog_of_id, id) WHERE reblog_of_id IS NOT NULL;
CREATE INDEX statuses_conversation ON statuses (conversation_id);
CREATE INDEX statuses_reply_account ON statuses (in_reply_to_account_id)
  WHERE in_reply_to_account_id IS NOT NULL;

CREATE TABLE status_stats (
  status_id bigint PRIMARY KEY REFERENCES statuses (id) ON DELETE CASCADE,
  replies_count bigint NOT NULL DEFAULT 0,
  reblogs_count bigint NOT NULL DEFAULT 0,
  favourites_count bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

-- A repeated request with the same Idempotency-Key gets the same status.
CREATE TABLE status_idempotency (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key text NOT NULL,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, key)
);

CREATE INDEX status_idempotency_status ON status_idempotency (status_id);

CREATE TABLE status_edits (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  text text NOT NULL,
  content text NOT NULL,
  spoiler_text text NOT NULL,
  sensitive boolean NOT NULL,
  emojis jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL
);

CREATE INDEX status_edits_status ON status_edits (status_id, id);

CREATE TABLE mentions (
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  silent boolean NOT NULL DEFAULT false,  -- addressed, but not named in the text
  PRIMARY KEY (status_id, account_id)
);

-- The direct timeline, and who was mentioned.
CREATE INDEX mentions_account ON mentions (account_id, status_id DESC);

CREATE TABLE tags (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  name text NOT NULL UNIQUE,              -- normalised: the key
  display_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE statuses_tags (
  tag_id bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  PRIMARY KEY (tag_id, status_id)
);

CREATE INDEX statuses_tags_status ON statuses_tags (status_id);

-- Images and videos; so far only those that remote statuses link to.
CREATE TABLE media_attachments (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id bigint REFERENCES statuses (id) ON DELETE CASCADE,
  position smallint NOT NULL DEFAULT 0,
  type text NOT NULL CHECK (type IN ('image', 'gifv', 'video', 'audio', 'unknown')),
  media_type text,
  url text NOT NULL,
  remote_url text,
  description text,
  blurhash text,
  meta jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX media_attachments_status ON media_attachments (status_id, position);
CREATE INDEX media_attachments_account ON media_attachments (account_id);

CREATE TABLE favourites (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  uri text,                               -- of the Like activity
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, status_id)
);

CREATE INDEX favourites_status ON favourites (status_id, id);
CREATE INDEX favourites_account ON favourites (account_id, id);
CREATE INDEX favourites_uri ON favourites (uri) WHERE uri IS NOT NULL;

CREATE TABLE bookmarks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, status_id)
);

CREATE INDEX bookmarks_account ON bookmarks (account_id, id);
CREATE INDEX bookmarks_status ON bookmarks (status_id);

CREATE TABLE status_pins (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, status_id)
);

CREATE INDEX status_pins_status ON status_pins (status_id);
