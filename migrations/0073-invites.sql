-- Invitations of people here, and who came by them.

CREATE TABLE invites (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code text NOT NULL UNIQUE,
  max_uses integer CHECK (max_uses > 0),  -- null: as often as wanted
  uses integer NOT NULL DEFAULT 0,
  expires_at timestamptz,                 -- null: never
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX invites_account ON invites (account_id, id DESC);

ALTER TABLE users
  ADD COLUMN invite_id bigint REFERENCES invites (id) ON DELETE SET NULL,
  -- The date of birth was old enough; it is not stored.
  ADD COLUMN age_verified_at timestamptz;
