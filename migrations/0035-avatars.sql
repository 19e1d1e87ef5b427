-- Avatars and headers of people here: stored files, and a first picture of those that move.
ALTER TABLE accounts
  ADD COLUMN avatar_key text,
  ADD COLUMN avatar_static_key text,
  ADD COLUMN header_key text,
  ADD COLUMN header_static_key text;

CREATE FUNCTION account_pictures_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key)
  SELECT key
  FROM unnest(ARRAY[OLD.avatar_key, OLD.avatar_static_key, OLD.header_key, OLD.header_static_key]) AS key
  WHERE key IS NOT NULL AND (TG_OP = 'DELETE' OR key NOT IN (
    coalesce(NEW.avatar_key, ''), coalesce(NEW.avatar_static_key, ''),
    coalesce(NEW.header_key, ''), coalesce(NEW.header_static_key, '')
  ))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER account_pictures_changed AFTER UPDATE ON accounts
  FOR EACH ROW
  WHEN ((OLD.avatar_key, OLD.avatar_static_key, OLD.header_key, OLD.header_static_key)
    IS DISTINCT FROM (NEW.avatar_key, NEW.avatar_static_key, NEW.header_key, NEW.header_static_key))
  EXECUTE FUNCTION account_pictures_changed();

CREATE TRIGGER account_pictures_deleted AFTER DELETE ON accounts
  FOR EACH ROW WHEN (OLD.avatar_key IS NOT NULL OR OLD.header_key IS NOT NULL)
  EXECUTE FUNCTION account_pictures_changed();
