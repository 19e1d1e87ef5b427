-- Servers cache settings and the owner; these triggers notify them when another process (the command
-- line) changes them.

CREATE FUNCTION tell_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NOTIFY settings;
  RETURN NULL;
END
$$;

CREATE TRIGGER settings_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON settings
  FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();

CREATE TRIGGER users_owner_told AFTER INSERT ON users
  FOR EACH ROW WHEN (NEW.role_id = 3) EXECUTE FUNCTION tell_settings();

CREATE TRIGGER users_owner_changed_told AFTER UPDATE OF role_id ON users
  FOR EACH ROW WHEN (OLD.role_id = 3 OR NEW.role_id = 3) EXECUTE FUNCTION tell_settings();

CREATE TRIGGER users_owner_gone_told AFTER DELETE ON users
  FOR EACH ROW WHEN (OLD.role_id = 3) EXECUTE FUNCTION tell_settings();
