-- Servers cache the credentials of tokens; these triggers notify them of changes. They fire only on rare
-- changes, because NOTIFY takes a lock at commit.

CREATE FUNCTION tell_credentials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('credentials', TG_ARGV[0] || ':' || OLD.id);
  RETURN NULL;
END
$$;

CREATE TRIGGER oauth_tokens_credentials AFTER UPDATE OF revoked_at, scopes ON oauth_tokens
  FOR EACH ROW WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at OR OLD.scopes IS DISTINCT FROM NEW.scopes)
  EXECUTE FUNCTION tell_credentials('token');

CREATE TRIGGER oauth_tokens_credentials_gone AFTER DELETE ON oauth_tokens
  FOR EACH ROW EXECUTE FUNCTION tell_credentials('token');

CREATE TRIGGER users_credentials
  AFTER UPDATE OF role_id, locale, confirmed_at, approved, disabled, settings ON users
  FOR EACH ROW WHEN (
    (OLD.role_id, OLD.locale, OLD.confirmed_at, OLD.approved, OLD.disabled, OLD.settings)
    IS DISTINCT FROM
    (NEW.role_id, NEW.locale, NEW.confirmed_at, NEW.approved, NEW.disabled, NEW.settings)
  )
  EXECUTE FUNCTION tell_credentials('user');

CREATE TRIGGER accounts_credentials
  AFTER UPDATE OF username, suspended_at, moved_to_account_id ON accounts
  FOR EACH ROW WHEN (
    OLD.domain IS NULL AND
    (OLD.username, OLD.suspended_at, OLD.moved_to_account_id)
    IS DISTINCT FROM
    (NEW.username, NEW.suspended_at, NEW.moved_to_account_id)
  )
  EXECUTE FUNCTION tell_credentials('account');

CREATE TRIGGER roles_credentials AFTER UPDATE OF permissions ON roles
  FOR EACH ROW EXECUTE FUNCTION tell_credentials('role');
