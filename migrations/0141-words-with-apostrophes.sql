-- Posts that people here wrote with an apostrophe were indexed with the word 39, of its escaped form. The authors of those are
-- indexed anew in the background (domain/search/index-statuses.ts): few, found by the index of words.
INSERT INTO search_backlog (account_id)
SELECT DISTINCT s.account_id FROM status_search i JOIN statuses s ON s.id = i.status_id
WHERE i.words @@ '''39'''::tsquery AND s.local AND s.content LIKE '%&#39;%'
ON CONFLICT (account_id) DO UPDATE SET before_id = excluded.before_id;
