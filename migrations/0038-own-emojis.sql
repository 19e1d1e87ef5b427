-- The server's own emojis: their files, and when they changed. Nothing could make any before.
DELETE FROM custom_emojis;

ALTER TABLE custom_emojis
  DROP COLUMN url,
  DROP COLUMN static_url,
  ADD COLUMN file_key text NOT NULL,
  ADD COLUMN static_key text NOT NULL,    -- the same where it does not move
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();

-- Servers cache them, and the posts and profiles that they are in.
CREATE FUNCTION emojis_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NOTIFY emojis;
  RETURN NULL;
END $$;

CREATE TRIGGER emojis_changed AFTER INSERT OR UPDATE OR DELETE ON custom_emojis
  FOR EACH STATEMENT EXECUTE FUNCTION emojis_changed();
