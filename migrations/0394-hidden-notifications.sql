-- Notifications by those whom somebody hides are deleted by a job, also for whoever hid others before.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    PERFORM graphile_worker.add_job(
      'notifications.hidden', json_build_object('accountId', a.id::text),
      job_key := 'notifications.hidden:' || a.id, priority := 10
    )
    FROM (
      SELECT account_id FROM blocks
      UNION SELECT account_id FROM mutes WHERE hide_notifications AND expires_at IS NULL
      UNION SELECT account_id FROM account_domain_blocks
    ) AS hiding
    JOIN accounts a ON a.id = hiding.account_id AND a.domain IS NULL;
  END IF;
END
$$;
