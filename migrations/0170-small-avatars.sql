-- A still avatar of the size that lists show. Where none could be made it is the larger one.
ALTER TABLE accounts ADD COLUMN avatar_small_key text;

CREATE OR REPLACE FUNCTION account_pictures_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key)
  SELECT DISTINCT key
  FROM unnest(ARRAY[
    OLD.avatar_key, OLD.avatar_static_key, OLD.avatar_small_key, OLD.header_key, OLD.header_static_key
  ]) AS key
  WHERE key IS NOT NULL AND (TG_OP = 'DELETE' OR key NOT IN (
    coalesce(NEW.avatar_key, ''), coalesce(NEW.avatar_static_key, ''), coalesce(NEW.avatar_small_key, ''),
    coalesce(NEW.header_key, ''), coalesce(NEW.header_static_key, '')
  ))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

DROP TRIGGER account_pictures_changed ON accounts;
CREATE TRIGGER account_pictures_changed AFTER UPDATE ON accounts
  FOR EACH ROW
  WHEN ((OLD.avatar_key, OLD.avatar_static_key, OLD.avatar_small_key, OLD.header_key, OLD.header_static_key)
    IS DISTINCT FROM
    (NEW.avatar_key, NEW.avatar_static_key, NEW.avatar_small_key, NEW.header_key, NEW.header_static_key))
  EXECUTE FUNCTION account_pictures_changed();
