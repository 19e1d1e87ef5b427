-- What of an archive cannot be imported, by what it is: {boosts: 12, favourites: 3}.
ALTER TABLE imports ADD COLUMN left_out jsonb NOT NULL DEFAULT '{}';
