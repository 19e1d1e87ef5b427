-- The emoji of a reaction, which counts as a favourite: a character or `:name:`. Null: an ordinary Like.
ALTER TABLE favourites ADD COLUMN reaction text;
