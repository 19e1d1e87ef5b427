-- What people read is new: pages of the tables that only grow are known to be visible to all, so that reading an index is
-- enough, after each further half per cent of rows, in place of a fifth, which is months of posts on a large server.
ALTER TABLE statuses SET (autovacuum_vacuum_insert_scale_factor = 0.005);
ALTER TABLE status_stats SET (autovacuum_vacuum_insert_scale_factor = 0.005);
ALTER TABLE status_search SET (autovacuum_vacuum_insert_scale_factor = 0.005);
ALTER TABLE statuses_tags SET (autovacuum_vacuum_insert_scale_factor = 0.005);
ALTER TABLE mentions SET (autovacuum_vacuum_insert_scale_factor = 0.005);
ALTER TABLE favourites SET (autovacuum_vacuum_insert_scale_factor = 0.005);
ALTER TABLE notifications SET (autovacuum_vacuum_insert_scale_factor = 0.005);
ALTER TABLE conversations SET (autovacuum_vacuum_insert_scale_factor = 0.005);
ALTER TABLE media_attachments SET (autovacuum_vacuum_insert_scale_factor = 0.005);

-- The moment at which somebody is here changes all day: without an index of it, and with some room on each page, it is
-- written in place. What looks for it, once a day, reads the table of users.
DROP INDEX users_active;
ALTER TABLE users SET (fillfactor = 90);
