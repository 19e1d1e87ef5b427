-- Commands called accounts otherwise than the pages, which link to them.
UPDATE audit_log SET target_type = 'account' WHERE target_type = 'Account';
UPDATE audit_log SET action = 'trend.' || split_part(action, '.', 2)
  WHERE action ~ '^(?:tag|status|link|publisher)\.(?:approve|reject)$';
