-- Posts that are events are found by has:event, as polls are by has:poll; those from before get their mark here.

UPDATE status_search SET words = words || array_to_tsvector(ARRAY['=has:event'])
WHERE status_id IN (SELECT status_id FROM status_events);
