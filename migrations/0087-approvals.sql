-- Answers and boosts of people here that the author of the other post has to approve (GoToSocial's interactionPolicy).

-- Until then only its own author sees it, and nothing follows from it.
ALTER TABLE statuses ADD COLUMN awaits_approval boolean NOT NULL DEFAULT false;
-- The authorization of the author of what it answers or boosts.
ALTER TABLE statuses ADD COLUMN approval_uri text;
