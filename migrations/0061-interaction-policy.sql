-- Who may answer, favourite and boost a remote post, as its author's server says. Bits: domain/statuses/interactions.ts.
ALTER TABLE statuses ADD COLUMN interaction_policy int NOT NULL DEFAULT 0;
