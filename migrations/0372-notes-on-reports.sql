-- A note may be about one report on the account. Notes of an imported server said so in their text ("#12: …").
ALTER TABLE account_remarks
  ADD COLUMN report_id bigint REFERENCES reports (id) ON DELETE SET NULL;
CREATE INDEX account_remarks_report ON account_remarks (report_id, id DESC) WHERE report_id IS NOT NULL;

-- The import numbers these from a million millions on, below everything that is written here.
UPDATE account_remarks n SET report_id = r.id, text = substr(n.text, length(r.id::text) + 4)
FROM reports r
WHERE n.id BETWEEN 1000000000000 AND 9999999999999
  AND r.target_account_id = n.target_account_id AND starts_with(n.text, '#' || r.id || ': ');
