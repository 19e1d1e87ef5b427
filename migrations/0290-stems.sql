-- Posts are found in other forms of their words, and by whom they mention on other servers (docs/design/search.md):
-- all that may be found is indexed anew in the background, a few hundred posts at a time (domain/search/index-statuses.ts).
INSERT INTO search_backlog (account_id) SELECT id FROM accounts WHERE indexable OR domain IS NULL
ON CONFLICT (account_id) DO UPDATE SET before_id = excluded.before_id;
