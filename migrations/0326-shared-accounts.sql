-- Accounts that several people use: those who may, or are invited to, are rows of account_access too.
ALTER TABLE account_access DROP CONSTRAINT account_access_kind_check;
ALTER TABLE account_access
  ADD CONSTRAINT account_access_kind_check CHECK (kind IN ('identity', 'owner', 'author')),
  ADD COLUMN accepted_at timestamptz DEFAULT now(); -- null: invited

-- Tokens stand for less, or for more, when that changes; in every process.
CREATE FUNCTION tell_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('credentials', 'user:' || coalesce(NEW.user_id, OLD.user_id));
  RETURN NULL;
END
$$;

CREATE TRIGGER account_access_credentials AFTER INSERT OR UPDATE OR DELETE ON account_access
  FOR EACH ROW EXECUTE FUNCTION tell_access();

-- Who did what in an account that is shared (domain/people/identities/acts.ts).
CREATE TABLE shared_acts (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,  -- whose account
  by_name text,                                                     -- of the member; null: with the account's own password
  act text NOT NULL,
  detail text,
  status_id bigint,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX shared_acts_user ON shared_acts (user_id, id);
CREATE INDEX shared_acts_created ON shared_acts (created_at);
