-- Who may not sign up or use the server at all, and with which servers it talks where it talks with few.

CREATE TABLE domain_allows (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  domain citext NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE ip_blocks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  ip cidr NOT NULL UNIQUE,
  severity text NOT NULL
    CHECK (severity IN ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text NOT NULL DEFAULT '',
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX ip_blocks_expires ON ip_blocks (expires_at) WHERE expires_at IS NOT NULL;

-- Also of the mail servers of a domain.
CREATE TABLE email_domain_blocks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  domain citext NOT NULL UNIQUE,
  allow_with_approval boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Sign-ups that a block stopped or held, by day and address of the client.
CREATE TABLE email_domain_block_tries (
  block_id bigint NOT NULL REFERENCES email_domain_blocks (id) ON DELETE CASCADE,
  day date NOT NULL,
  ip inet NOT NULL,
  count integer NOT NULL DEFAULT 1,
  PRIMARY KEY (block_id, day, ip)
);

CREATE INDEX email_domain_block_tries_day ON email_domain_block_tries (day);

-- Addresses without the parts that one mailbox can have many of; only the hash.
CREATE TABLE canonical_email_blocks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  canonical_email_hash text NOT NULL UNIQUE,
  account_id bigint,                      -- whose address it was; the account may be gone
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Servers cache these like settings (0008).
CREATE TRIGGER domain_blocks_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON domain_blocks
  FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();
CREATE TRIGGER domain_allows_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON domain_allows
  FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();
CREATE TRIGGER ip_blocks_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ip_blocks
  FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

-- Follows that ended because of moderation, so that people can see what they lost.
CREATE TABLE severance_events (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  type text NOT NULL CHECK (type IN ('domain_block', 'user_domain_block', 'account_suspension')),
  target_name text NOT NULL,              -- a domain, or a handle
  purged boolean NOT NULL DEFAULT false,  -- the relationships are deleted
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE severed_relationships (
  event_id bigint NOT NULL REFERENCES severance_events (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, -- local
  other_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  direction text NOT NULL CHECK (direction IN ('followed', 'follower')),
  show_reblogs boolean NOT NULL DEFAULT true,
  notify boolean NOT NULL DEFAULT false,
  languages text[],
  PRIMARY KEY (account_id, event_id, direction, other_account_id)
);

CREATE INDEX severed_relationships_event ON severed_relationships (event_id);
CREATE INDEX severed_relationships_other ON severed_relationships (other_account_id);
