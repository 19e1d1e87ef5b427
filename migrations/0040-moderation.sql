-- Roles made here, what moderators did, and what they decided about accounts.

ALTER TABLE roles
  ALTER COLUMN id SET DEFAULT snowflake(),
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX roles_name ON roles (lower(name)) WHERE name <> '';

-- Who did what as staff. Nothing refers to it, so that it outlives what it is about.
CREATE TABLE audit_log (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint,                      -- null: the command line, or a job
  action text NOT NULL,                   -- as account.suspend
  target_type text,                       -- account, report, domain_block …
  target_id bigint,
  target_label text NOT NULL DEFAULT '',  -- as it was called then
  details jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX audit_log_account ON audit_log (account_id, id DESC);
CREATE INDEX audit_log_target ON audit_log (target_type, target_id, id DESC);
CREATE INDEX audit_log_action ON audit_log (action, id DESC);

ALTER TABLE accounts
  ADD COLUMN sensitized_at timestamptz,
  -- By a block of the domain, with which it ends.
  ADD COLUMN suspended_with_domain boolean NOT NULL DEFAULT false,
  ADD COLUMN silenced_with_domain boolean NOT NULL DEFAULT false;

-- Suspended accounts whose data is to be deleted.
CREATE TABLE account_deletions (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  due_at timestamptz NOT NULL
);

CREATE INDEX account_deletions_due ON account_deletions (due_at);

-- Texts for warnings that moderators send often.
CREATE TABLE warning_presets (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  title text NOT NULL DEFAULT '',
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- What moderators did to an account, as the account is told.
CREATE TABLE strikes (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint REFERENCES accounts (id) ON DELETE SET NULL, -- null: the command line, or gone
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  action text NOT NULL CHECK (action IN ('none', 'disable', 'mark_statuses_as_sensitive',
    'delete_statuses', 'sensitive', 'silence', 'suspend')),
  text text NOT NULL DEFAULT '',
  report_id bigint REFERENCES reports (id) ON DELETE SET NULL,
  status_ids bigint[],
  evidence jsonb NOT NULL DEFAULT '[]',   -- of deleted posts, for moderators: [{id, uri, content, …}]
  overruled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX strikes_target ON strikes (target_account_id, id DESC);
CREATE INDEX strikes_account ON strikes (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX strikes_report ON strikes (report_id) WHERE report_id IS NOT NULL;

CREATE TABLE appeals (
  strike_id bigint PRIMARY KEY REFERENCES strikes (id) ON DELETE CASCADE,
  text text NOT NULL,
  decided_at timestamptz,                 -- null: pending
  approved boolean,
  decided_by_account_id bigint REFERENCES accounts (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX appeals_pending ON appeals (strike_id) WHERE decided_at IS NULL;
CREATE INDEX appeals_decided_by ON appeals (decided_by_account_id)
  WHERE decided_by_account_id IS NOT NULL;

-- Whether new posts may have the tag; null: yes.
ALTER TABLE tags ADD COLUMN usable boolean;
