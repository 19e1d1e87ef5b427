-- The tags of a post are shown in the order in which its author wrote them. Those of earlier posts have 0, and
-- stay in the order of their ids.
ALTER TABLE statuses_tags ADD COLUMN place smallint NOT NULL DEFAULT 0;
