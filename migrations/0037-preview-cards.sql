-- Previews of the pages that posts link to, each shared by all posts with that link.
CREATE TABLE preview_cards (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  url_hash bytea NOT NULL UNIQUE,         -- as in status_links
  url text NOT NULL,                      -- without its fragment
  card jsonb,                             -- what is shown (domain/cards/tables.ts); null: nothing (yet)
  creator_account_id bigint REFERENCES accounts (id) ON DELETE SET NULL, -- whom the page names; they need not agree
  image_key text,                         -- of the stored picture
  ask_again_at timestamptz NOT NULL,      -- the next post with the link makes the page be fetched again
  kept_until timestamptz NOT NULL         -- then deleted, unless a post has it
);

CREATE INDEX preview_cards_kept_until ON preview_cards (kept_until);
CREATE INDEX preview_cards_creator ON preview_cards (creator_account_id) WHERE creator_account_id IS NOT NULL;

-- The hash of the link that a post shows a card of; such posts are in status_links, unlisted ones, too.
ALTER TABLE statuses ADD COLUMN card_hash bytea;
