-- Posts for people of this server alone (statuses/visibility.ts). What is there has the older values: nothing is scanned.
ALTER TABLE statuses DROP CONSTRAINT statuses_visibility_check;
ALTER TABLE statuses ADD CONSTRAINT statuses_visibility_check CHECK (
  visibility IN ('public', 'unlisted', 'local', 'private', 'local_followers', 'direct')
) NOT VALID;
