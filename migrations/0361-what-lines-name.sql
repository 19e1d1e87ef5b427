-- no transaction
-- What a line of an import names stays also where the line could not be done.
CREATE INDEX CONCURRENTLY IF NOT EXISTS import_rows_named ON import_rows (import_id, target) WHERE target IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS import_rows_target;
