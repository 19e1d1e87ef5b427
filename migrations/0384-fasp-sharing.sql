-- What providers are told (federation/fasp/sharing.ts), and of what they asked to be told.
ALTER TABLE fasp_providers ADD COLUMN wishes jsonb NOT NULL DEFAULT '[]';

-- What a provider was told of, so that it learns of every end, also of what is stored here no longer.
CREATE TABLE fasp_announced (
  provider_id bigint NOT NULL REFERENCES fasp_providers (id) ON DELETE CASCADE,
  category text NOT NULL,
  object_id bigint NOT NULL,
  account_id bigint NOT NULL,
  is_local boolean NOT NULL,
  uri text NOT NULL,
  change text CHECK (change IN ('new', 'update', 'delete')), -- what it has to be told
  is_sent boolean NOT NULL,                      -- whether it may know of the object
  trended_at timestamptz,
  PRIMARY KEY (provider_id, category, object_id)
);

CREATE INDEX fasp_announced_object ON fasp_announced (object_id);
CREATE INDEX fasp_announced_account ON fasp_announced (account_id, category, object_id DESC)
  WHERE change IS DISTINCT FROM 'delete';        -- what is not known to have ended
CREATE INDEX fasp_announced_change ON fasp_announced (provider_id, category, change, object_id)
  WHERE change IS NOT NULL;
CREATE INDEX fasp_announced_passing ON fasp_announced (object_id)
  WHERE category = 'content' AND (NOT is_local OR NOT is_sent);
