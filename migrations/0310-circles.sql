-- Posts for a circle (statuses/visibility.ts). What is there has the older values: nothing is scanned.
ALTER TABLE statuses DROP CONSTRAINT statuses_visibility_check;
ALTER TABLE statuses ADD CONSTRAINT statuses_visibility_check CHECK (
  visibility IN ('public', 'unlisted', 'local', 'private', 'local_followers', 'circle', 'direct')
) NOT VALID;

-- The lists that it was written for, which its author alone is told. Whom they had is in mentions, in silence.
ALTER TABLE statuses ADD COLUMN circle_lists bigint[];
