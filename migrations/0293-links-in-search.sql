-- Posts are found by where they link to: those with links that are indexed are so anew in the background, with all of their
-- authors who are open to search or from here (domain/search/index-statuses.ts). Found by the index of words.
INSERT INTO search_backlog (account_id)
SELECT DISTINCT s.account_id
FROM status_search i JOIN statuses s ON s.id = i.status_id JOIN accounts a ON a.id = s.account_id
WHERE i.words @@ '''=has:link'''::tsquery AND (a.indexable OR a.domain IS NULL)
ON CONFLICT (account_id) DO UPDATE SET before_id = excluded.before_id;
