-- no transaction
-- Apps may ask for favourites with an emoji alone: few have one, which an index of these finds among however many.
ALTER TABLE notifications ADD COLUMN IF NOT EXISTS reacted boolean DEFAULT false NOT NULL;
UPDATE notifications n SET reacted = true
FROM (SELECT account_id, status_id FROM favourites WHERE reaction IS NOT NULL OFFSET 0) r
WHERE n.from_account_id = r.account_id AND n.status_id = r.status_id AND n.type = 'favourite' AND NOT n.reacted;
CREATE INDEX CONCURRENTLY IF NOT EXISTS notifications_reacted ON notifications (account_id, filtered, id DESC) WHERE reacted;
