-- Answers in a group's threads of which other servers were told, counted for each member (domain/groups/threads.ts).
CREATE TABLE group_answers (
  group_id bigint NOT NULL REFERENCES groups (account_id) ON DELETE CASCADE,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (group_id, status_id)
);

CREATE INDEX group_answers_status ON group_answers (status_id);
CREATE INDEX group_answers_account ON group_answers (account_id, group_id, created_at);
CREATE INDEX group_answers_created ON group_answers (created_at);
