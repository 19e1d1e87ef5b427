-- Every process knows whether something is announced.
CREATE TRIGGER announcements_told AFTER INSERT OR DELETE OR TRUNCATE ON announcements FOR EACH STATEMENT EXECUTE FUNCTION tell_settings();
