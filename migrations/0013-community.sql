-- Rules, terms, announcements, reports, collections, annual reports; and the mailboxes of encrypted
-- messages.

CREATE TABLE rules (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  position integer NOT NULL DEFAULT 0,
  text text NOT NULL,
  hint text NOT NULL DEFAULT '',
  translations jsonb NOT NULL DEFAULT '{}', -- {"de": {"text", "hint"}}
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz                    -- reports may still refer to it
);

CREATE TABLE terms_of_service (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  effective_date date NOT NULL UNIQUE,
  content text NOT NULL,                    -- HTML, rendered or sanitised once
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Servers cache rules and terms like settings (0008).
CREATE TRIGGER rules_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON rules
  FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();
CREATE TRIGGER terms_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON terms_of_service
  FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- Servers that moderators have limited or suspended.
CREATE TABLE domain_blocks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  domain citext NOT NULL UNIQUE,
  severity text NOT NULL DEFAULT 'silence' CHECK (severity IN ('noop', 'silence', 'suspend')),
  reject_media boolean NOT NULL DEFAULT false,
  reject_reports boolean NOT NULL DEFAULT false,
  private_comment text,
  public_comment text,
  obfuscate boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The server's own emojis.
CREATE TABLE custom_emojis (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  shortcode text NOT NULL UNIQUE,
  url text NOT NULL,
  static_url text NOT NULL,
  category text,
  visible_in_picker boolean NOT NULL DEFAULT true,
  disabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE announcements (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  text text NOT NULL,
  starts_at timestamptz,
  ends_at timestamptz,
  all_day boolean NOT NULL DEFAULT false,
  scheduled_at timestamptz,                 -- when it is to be published
  published_at timestamptz,                 -- null: not published yet
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE announcement_dismissals (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  announcement_id bigint NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, announcement_id)
);

CREATE INDEX announcement_dismissals_announcement ON announcement_dismissals (announcement_id);

CREATE TABLE announcement_reactions (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  announcement_id bigint NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,                       -- an emoji, or the shortcode of a custom one
  UNIQUE (announcement_id, account_id, name)
);

CREATE INDEX announcement_reactions_name ON announcement_reactions (announcement_id, name);
CREATE INDEX announcement_reactions_account ON announcement_reactions (account_id);

CREATE TABLE reports (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_ids bigint[] NOT NULL DEFAULT '{}',
  collection_ids bigint[] NOT NULL DEFAULT '{}',
  rule_ids bigint[],
  comment text NOT NULL DEFAULT '',
  category text NOT NULL DEFAULT 'other'
    CHECK (category IN ('spam', 'legal', 'violation', 'other')),
  forwarded boolean NOT NULL DEFAULT false,
  uri text,                                 -- of the Flag, received or sent
  action_taken_at timestamptz,
  action_taken_by_account_id bigint REFERENCES accounts (id) ON DELETE SET NULL,
  assigned_account_id bigint REFERENCES accounts (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE UNIQUE INDEX reports_uri ON reports (uri) WHERE uri IS NOT NULL;
CREATE INDEX reports_account ON reports (account_id);
CREATE INDEX reports_target ON reports (target_account_id, id);
CREATE INDEX reports_open ON reports (id) WHERE action_taken_at IS NULL;
CREATE INDEX reports_taken_by ON reports (action_taken_by_account_id)
  WHERE action_taken_by_account_id IS NOT NULL;
CREATE INDEX reports_assigned ON reports (assigned_account_id)
  WHERE assigned_account_id IS NOT NULL;

CREATE TABLE collections (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  language text,
  tag_name text,                            -- normalised; tag_display is as written
  tag_display text,
  sensitive boolean NOT NULL DEFAULT false,
  discoverable boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX collections_account ON collections (account_id, id);

CREATE TABLE collection_items (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  collection_id bigint NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'accepted' CHECK (state IN ('pending', 'accepted', 'revoked')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (collection_id, account_id)
);

CREATE INDEX collection_items_account ON collection_items (account_id, collection_id);

CREATE TABLE annual_reports (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  year integer NOT NULL,
  data jsonb NOT NULL,
  schema_version integer NOT NULL,
  read_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, year)
);

-- End-to-end encryption: a device belongs to one access token.
CREATE TABLE crypto_devices (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  token_id bigint NOT NULL UNIQUE REFERENCES oauth_tokens (id) ON DELETE CASCADE,
  device_id text NOT NULL,
  name text NOT NULL,
  fingerprint_key text NOT NULL,
  identity_key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, device_id)
);

CREATE TABLE crypto_one_time_keys (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  device_id bigint NOT NULL REFERENCES crypto_devices (id) ON DELETE CASCADE,
  key_id text NOT NULL,
  key text NOT NULL,
  signature text NOT NULL,
  UNIQUE (device_id, key_id)
);

CREATE TABLE crypto_messages (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  device_id bigint NOT NULL REFERENCES crypto_devices (id) ON DELETE CASCADE,
  from_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  from_device_id text NOT NULL,
  type integer NOT NULL,
  body text NOT NULL,
  digest text NOT NULL,                     -- the sender's HMAC of the plain text
  message_franking text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX crypto_messages_device ON crypto_messages (device_id, id);
CREATE INDEX crypto_messages_from ON crypto_messages (from_account_id);

-- What a notification is about, if it is not a status: a report, a collection, a year.
ALTER TABLE notifications ADD COLUMN subject_id bigint;
DROP INDEX notifications_once;
CREATE UNIQUE INDEX notifications_once
  ON notifications (account_id, type, from_account_id, (coalesce(status_id, subject_id, 0)));
