-- Threads of which a person wants no more notifications.

CREATE TABLE conversation_mutes (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  conversation_id bigint NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, conversation_id)
);

CREATE INDEX conversation_mutes_conversation ON conversation_mutes (conversation_id);
