-- How long posts of people with this role may be; null: as MAX_TOOT_CHARS says.
ALTER TABLE roles ADD COLUMN max_characters integer CHECK (max_characters BETWEEN 1 AND 100000);
