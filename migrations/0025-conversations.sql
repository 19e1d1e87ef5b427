-- A conversation is a number that its statuses share. A row is needed only for one that has an address on
-- another server; most had none, and nothing but foreign keys read them.

ALTER TABLE statuses DROP CONSTRAINT statuses_conversation_id_fkey;
ALTER TABLE conversation_mutes DROP CONSTRAINT conversation_mutes_conversation_id_fkey;
ALTER TABLE account_conversations DROP CONSTRAINT account_conversations_conversation_id_fkey;

DROP INDEX statuses_conversation;
DROP INDEX conversation_mutes_conversation;
DROP INDEX account_conversations_conversation;

ALTER TABLE conversations RENAME TO conversations_before;
ALTER TABLE conversations_before RENAME CONSTRAINT conversations_pkey TO conversations_before_pkey;
CREATE TABLE conversations (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  uri text NOT NULL
);
INSERT INTO conversations SELECT id, uri FROM conversations_before WHERE uri IS NOT NULL;
DROP TABLE conversations_before;

CREATE UNIQUE INDEX conversations_uri_key ON conversations (uri_key(uri));
