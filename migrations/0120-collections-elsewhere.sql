-- Collections of other servers, and people of other servers in those of this one (FEP-7aa9).

-- Who may feature a remote account, as bits (domain/accounts/policy-bits.ts); null: its server says nothing.
ALTER TABLE accounts ADD COLUMN feature_policy smallint;
ALTER TABLE accounts ADD COLUMN featured_collections_url text;

-- Of collections of other servers: their addresses, and when they were read.
ALTER TABLE collections
  ADD COLUMN uri text,
  ADD COLUMN url text,
  ADD COLUMN fetched_at timestamptz;

CREATE UNIQUE INDEX collections_uri ON collections (uri) WHERE uri IS NOT NULL;
CREATE INDEX collections_url ON collections (url) WHERE url IS NOT NULL;

-- Items of theirs have an address, and no account until what allows them was read from the account's own server.
ALTER TABLE collection_items
  ALTER COLUMN account_id DROP NOT NULL,
  ADD COLUMN uri text,
  ADD COLUMN object_uri text,
  ADD COLUMN approval_uri text;

CREATE UNIQUE INDEX collection_items_uri ON collection_items (uri) WHERE uri IS NOT NULL;
CREATE INDEX collection_items_approval ON collection_items (approval_uri) WHERE approval_uri IS NOT NULL;
