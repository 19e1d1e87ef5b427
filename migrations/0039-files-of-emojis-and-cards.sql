-- Files of emojis and cards are deleted once no row names them any more (files_to_delete, 0034).

CREATE FUNCTION emoji_files_unused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key)
  SELECT DISTINCT key FROM unnest(ARRAY[OLD.file_key, OLD.static_key]) AS key
  WHERE TG_OP = 'DELETE' OR key NOT IN (NEW.file_key, NEW.static_key)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER emoji_files_unused AFTER DELETE OR UPDATE OF file_key, static_key ON custom_emojis
  FOR EACH ROW EXECUTE FUNCTION emoji_files_unused();

CREATE FUNCTION card_file_unused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key) VALUES (OLD.image_key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER card_file_deleted AFTER DELETE ON preview_cards
  FOR EACH ROW WHEN (OLD.image_key IS NOT NULL) EXECUTE FUNCTION card_file_unused();

CREATE TRIGGER card_file_replaced AFTER UPDATE OF image_key ON preview_cards
  FOR EACH ROW WHEN (OLD.image_key IS NOT NULL AND OLD.image_key IS DISTINCT FROM NEW.image_key)
  EXECUTE FUNCTION card_file_unused();
