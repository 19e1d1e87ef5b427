-- Where the picture of a reaction's custom emoji is, on a server elsewhere. Null: a character, or a name alone.
ALTER TABLE favourites ADD COLUMN reaction_url text;
