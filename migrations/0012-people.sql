-- Endorsed accounts, private notes about accounts, dismissed suggestions; what a profile shows; when the
-- links of a profile were last verified.

CREATE TABLE endorsements (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, target_account_id) -- also pages the lists, by the target's id
);

CREATE INDEX endorsements_target ON endorsements (target_account_id);

-- Only a followed account can be endorsed: the endorsement ends with the follow.
CREATE FUNCTION end_endorsement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM endorsements
  WHERE account_id = OLD.account_id AND target_account_id = OLD.target_account_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER follows_endorsements AFTER DELETE ON follows
  FOR EACH ROW WHEN (OLD.local) EXECUTE FUNCTION end_endorsement();

-- Private: only the author sees a note.
CREATE TABLE account_notes (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  comment text NOT NULL,
  PRIMARY KEY (account_id, target_account_id)
);

CREATE INDEX account_notes_target ON account_notes (target_account_id);

CREATE TABLE dismissed_suggestions (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, target_account_id)
);

CREATE INDEX dismissed_suggestions_target ON dismissed_suggestions (target_account_id);

ALTER TABLE accounts
  ADD COLUMN show_media boolean NOT NULL DEFAULT true,
  ADD COLUMN show_media_replies boolean NOT NULL DEFAULT true,
  ADD COLUMN show_featured boolean NOT NULL DEFAULT true,
  ADD COLUMN links_checked_at timestamptz;

-- The directory, newest first: all accounts, and local ones.
CREATE INDEX accounts_discoverable ON accounts (id DESC)
  WHERE discoverable AND suspended_at IS NULL;
CREATE INDEX accounts_discoverable_here ON accounts (id DESC)
  WHERE discoverable AND suspended_at IS NULL AND domain IS NULL;

-- The directory by activity. Only the day is indexed, so that counting statuses updates the index once a
-- day per account.
ALTER TABLE account_stats
  ADD COLUMN last_status_on date
    GENERATED ALWAYS AS ((last_status_at AT TIME ZONE 'UTC')::date) STORED;
CREATE INDEX account_stats_active ON account_stats (last_status_on DESC NULLS LAST);

-- Suggestions: the accounts with most followers.
CREATE INDEX account_stats_followed ON account_stats (followers_count DESC)
  WHERE followers_count > 0;

-- Domains by prefix, whatever the database's collation is.
CREATE INDEX accounts_domain_prefix ON accounts (lower(domain::text) COLLATE "C")
  WHERE domain IS NOT NULL;
