-- Who sent a registration, while it waits: one who sends many takes nobody else's place.
ALTER TABLE fasp_providers ADD COLUMN sender text;
