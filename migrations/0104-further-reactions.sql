-- Further activities by which somebody elsewhere favourited a post, each with another emoji: when the first is undone, one
-- of them takes its place.
CREATE TABLE further_reactions (
  favourite_id bigint NOT NULL REFERENCES favourites (id) ON DELETE CASCADE,
  uri text NOT NULL,                      -- of the Like or EmojiReact activity
  reaction text,
  reaction_url text,
  PRIMARY KEY (favourite_id, uri)
);

CREATE INDEX further_reactions_uri ON further_reactions (uri);
