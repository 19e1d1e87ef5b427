-- When the staff stopped deliveries to this host; null: they did not. Such a row stays until they go on.
ALTER TABLE remote_hosts ADD COLUMN stopped_at timestamptz;
