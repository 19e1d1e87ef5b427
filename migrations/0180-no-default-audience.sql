-- Who inserts a status says who may see it: there is no default for what decides that.
ALTER TABLE statuses ALTER COLUMN awaits_approval DROP DEFAULT;
