-- no transaction
-- Servers cache which tags new posts must not have, like settings (0008).
CREATE INDEX CONCURRENTLY IF NOT EXISTS tags_unusable ON tags (id) WHERE usable = false;
CREATE OR REPLACE TRIGGER tags_usable_told AFTER UPDATE OF usable ON tags FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();
