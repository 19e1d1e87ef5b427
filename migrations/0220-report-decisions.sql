-- The decision about the account that ended a report; null: none was taken for it. Not a foreign key: strikes go with
-- the account that they are about, and its reports with it.
ALTER TABLE reports ADD COLUMN strike_id bigint;

UPDATE reports r SET strike_id = s.id
FROM (
  SELECT report_id, max(id) AS id FROM strikes WHERE report_id IS NOT NULL GROUP BY report_id
) AS s
WHERE s.report_id = r.id AND r.action_taken_at IS NOT NULL;
