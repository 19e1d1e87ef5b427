-- Accounts (local and remote actors), the users who sign in, settings.

CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- 64-bit ids: milliseconds << 16 | a cyclic sequence. Made in the database, so that several processes
-- never collide. Remote records pass their own time instead of now.
CREATE SEQUENCE snowflake_seq CYCLE MINVALUE 0 MAXVALUE 65535 START 0 CACHE 1;

CREATE FUNCTION snowflake(at timestamptz DEFAULT clock_timestamp()) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT (floor(extract(epoch FROM at) * 1000)::bigint << 16) | nextval('snowflake_seq')
$$;

CREATE TABLE accounts (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  username citext NOT NULL,
  domain citext,                          -- null: local
  uri text NOT NULL,
  url text NOT NULL,
  actor_type text NOT NULL DEFAULT 'Person',
  display_name text NOT NULL DEFAULT '',
  note text NOT NULL DEFAULT '',          -- as written; empty for remote accounts
  note_html text NOT NULL DEFAULT '',     -- rendered once, when written or received
  fields jsonb NOT NULL DEFAULT '[]',     -- [{name, value, value_html, verified_at}]
  emojis jsonb NOT NULL DEFAULT '[]',     -- [{shortcode, url, static_url}]
  avatar_url text,
  header_url text,
  avatar_description text NOT NULL DEFAULT '',
  header_description text NOT NULL DEFAULT '',
  locked boolean NOT NULL DEFAULT false,
  discoverable boolean,
  indexable boolean NOT NULL DEFAULT false,
  hide_collections boolean,
  memorial boolean NOT NULL DEFAULT false,
  also_known_as text[] NOT NULL DEFAULT '{}',
  moved_to_account_id bigint REFERENCES accounts (id) ON DELETE SET NULL,
  attribution_domains text[] NOT NULL DEFAULT '{}',
  inbox_url text NOT NULL DEFAULT '',
  shared_inbox_url text,
  outbox_url text,
  followers_url text,
  following_url text,
  featured_url text,
  key_id text,                            -- the id of the public key, unless it is uri#main-key
  public_key text NOT NULL DEFAULT '',
  private_key text,
  suspended_at timestamptz,
  suspended_remotely boolean NOT NULL DEFAULT false, -- by the actor's own server, not by us
  silenced_at timestamptz,
  fetched_at timestamptz,                 -- when the remote actor document was last fetched
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE UNIQUE INDEX accounts_handle ON accounts (username, (coalesce(domain, '')));
CREATE UNIQUE INDEX accounts_uri ON accounts (uri);
CREATE INDEX accounts_url ON accounts (url);
CREATE INDEX accounts_domain ON accounts (domain) WHERE domain IS NOT NULL;
CREATE INDEX accounts_key_id ON accounts (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX accounts_moved ON accounts (moved_to_account_id) WHERE moved_to_account_id IS NOT NULL;
CREATE INDEX accounts_search ON accounts USING gin ((username::text || ' ' || display_name) gin_trgm_ops);

-- Counts have a table of their own, so that counting does not rewrite the wide rows.
CREATE TABLE account_stats (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  statuses_count bigint NOT NULL DEFAULT 0,
  followers_count bigint NOT NULL DEFAULT 0,
  following_count bigint NOT NULL DEFAULT 0,
  last_status_at timestamptz
) WITH (fillfactor = 70);

CREATE TABLE roles (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  color text NOT NULL DEFAULT '',
  permissions bigint NOT NULL DEFAULT 0,
  highlighted boolean NOT NULL DEFAULT false,
  position integer NOT NULL DEFAULT 0
);

-- Permission bits: limits.json of the contract, role_permission_bits.
INSERT INTO roles (id, name, permissions, highlighted, position) VALUES
  (-99, '', 65536, false, -1),
  (1, 'Moderator', 1308, true, 10),
  (2, 'Admin', 983036, true, 100),
  (3, 'Owner', 1, true, 1000);

CREATE TABLE users (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
  email citext NOT NULL UNIQUE,
  password_hash text NOT NULL,
  role_id bigint NOT NULL DEFAULT -99 REFERENCES roles (id),
  locale text NOT NULL DEFAULT 'en',
  time_zone text,
  agreed boolean NOT NULL DEFAULT true,
  sign_up_reason text,
  sign_up_ip inet,
  created_by_app_id bigint,
  confirmed_at timestamptz,
  confirmation_token_hash bytea UNIQUE,
  confirmation_sent_at timestamptz,
  approved boolean NOT NULL DEFAULT true,
  disabled boolean NOT NULL DEFAULT false,
  -- {privacy, sensitive, language, quote_policy, chosen_languages, …}: missing members have their default
  settings jsonb NOT NULL DEFAULT '{}',
  last_active_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX users_active ON users (last_active_at);

-- The weeks (Mondays, UTC) in which a person was active; the last twelve are stored.
CREATE TABLE user_weeks (
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  week timestamptz NOT NULL,
  PRIMARY KEY (user_id, week)
);

-- Settings that an administrator changes while the server runs.
CREATE TABLE settings (
  name text PRIMARY KEY,
  value jsonb NOT NULL
);
