-- Two addresses together are longer than an index takes: their digests (uri_key, 0024-smaller-indexes.sql).
ALTER TABLE early_deletes DROP CONSTRAINT early_deletes_pkey;
CREATE UNIQUE INDEX early_deletes_key ON early_deletes (uri_key(uri), uri_key(actor_uri));
