-- This server's key for an auxiliary provider is sealed with SECRET_KEY_BASE, as other secrets are. One that was made
-- before stays as it is until the provider registers again.
ALTER TABLE fasp_providers ADD COLUMN sealed_key bytea;
ALTER TABLE fasp_providers ALTER COLUMN private_key DROP NOT NULL;
