-- People who cleared more notifications than one statement deletes: those up to this id are not shown any more, and a
-- job deletes them.
CREATE TABLE notification_clears (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  up_to bigint NOT NULL
);
