-- Groups (domain/groups/): accounts of this server, of the type Group, that boost what their members send them.
CREATE TABLE groups (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  owner_id bigint REFERENCES accounts (id) ON DELETE SET NULL, -- null: the owner is gone
  rules text[] NOT NULL DEFAULT '{}',
  holds_posts boolean NOT NULL DEFAULT false,    -- until a moderator approves them
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX groups_owner ON groups (owner_id);

CREATE TABLE group_moderators (
  group_id bigint NOT NULL REFERENCES groups (account_id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, account_id)
);

CREATE INDEX group_moderators_account ON group_moderators (account_id);

-- Posts that were sent to a group, and what became of them.
CREATE TABLE group_posts (
  group_id bigint NOT NULL REFERENCES groups (account_id) ON DELETE CASCADE,
  status_id bigint NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('shared', 'held', 'removed')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (group_id, status_id)
);

CREATE INDEX group_posts_status ON group_posts (status_id);
CREATE INDEX group_posts_account ON group_posts (account_id, group_id, created_at);
CREATE INDEX group_posts_held ON group_posts (group_id, status_id) WHERE state = 'held';

-- What owners and moderators of groups did, for a year.
CREATE TABLE group_acts (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  group_id bigint NOT NULL REFERENCES groups (account_id) ON DELETE CASCADE,
  account_id bigint REFERENCES accounts (id) ON DELETE SET NULL, -- null: the staff, on the command line
  action text NOT NULL,
  target_id bigint REFERENCES accounts (id) ON DELETE CASCADE,
  status_id bigint,                              -- may be deleted since
  created_at timestamptz NOT NULL
);

CREATE INDEX group_acts_group ON group_acts (group_id, id);
CREATE INDEX group_acts_account ON group_acts (account_id);
CREATE INDEX group_acts_target ON group_acts (target_id);
CREATE INDEX group_acts_created ON group_acts (created_at);
