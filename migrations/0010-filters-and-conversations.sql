-- Filters, blocked domains, conversations, and read markers.

CREATE TABLE filters (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  title text NOT NULL,
  context text[] NOT NULL,
  action text NOT NULL DEFAULT 'warn' CHECK (action IN ('warn', 'hide', 'blur')),
  expires_at timestamptz,                 -- compared with the clock at every read
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX filters_account ON filters (account_id, id);

CREATE TABLE filter_keywords (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  filter_id bigint NOT NULL REFERENCES filters (id) ON DELETE CASCADE,
  keyword text NOT NULL,
  whole_word boolean NOT NULL DEFAULT true
);

CREATE INDEX filter_keywords_filter ON filter_keywords (filter_id, id);

CREATE TABLE filter_statuses (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  filter_id bigint NOT NULL REFERENCES filters (id) ON DELETE CASCADE,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  UNIQUE (filter_id, status_id)
);

CREATE INDEX filter_statuses_status ON filter_statuses (status_id);

CREATE TABLE account_domain_blocks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  domain text NOT NULL,                   -- one spelling: lower case, punycode
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, domain)
);

CREATE INDEX account_domain_blocks_page ON account_domain_blocks (account_id, id);

-- One per person, thread and set of other participants.
CREATE TABLE account_conversations (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  conversation_id bigint NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  participant_ids bigint[] NOT NULL,      -- the others, sorted
  last_status_id bigint NOT NULL,         -- the greatest of account_conversation_statuses; pages the list
  unread boolean NOT NULL DEFAULT false
);

-- By a hash: hundreds of participants do not fit into an index entry.
CREATE UNIQUE INDEX account_conversations_once
  ON account_conversations (account_id, conversation_id, hash_array_extended(participant_ids, 0));

CREATE INDEX account_conversations_page ON account_conversations (account_id, last_status_id);
CREATE INDEX account_conversations_conversation ON account_conversations (conversation_id);

CREATE TABLE account_conversation_statuses (
  account_conversation_id bigint NOT NULL REFERENCES account_conversations (id) ON DELETE CASCADE,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  PRIMARY KEY (account_conversation_id, status_id)
);

CREATE INDEX account_conversation_statuses_status ON account_conversation_statuses (status_id);

-- When a status is deleted for whatever reason (by its author, with its account, by a moderator), the
-- conversation shows the status before it; without statuses it is deleted.
CREATE FUNCTION conversations_shrink() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;

CREATE TRIGGER account_conversation_statuses_gone
  AFTER DELETE ON account_conversation_statuses REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION conversations_shrink();

-- How far a person has read each timeline; the version detects concurrent changes.
CREATE TABLE markers (
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  timeline text NOT NULL CHECK (timeline IN ('home', 'notifications')),
  last_read_id bigint NOT NULL,
  version int NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, timeline)
);
