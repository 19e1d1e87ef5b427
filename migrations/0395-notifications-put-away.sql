-- What comes from somebody who is hidden from its recipient is put away, so that nothing reads past it: `filtered` is null,
-- and `was_filtered` keeps its value until it is brought back. A job does so, which triggers enqueue, because very many
-- acts hide people and show them again: blocks and mutes by anybody, ends of mutes, suspensions here and elsewhere.
ALTER TABLE notifications ALTER COLUMN filtered DROP NOT NULL, ADD COLUMN was_filtered boolean;

-- Enqueues the job for what this recipient has of this sender; null for all recipients, or all senders.
CREATE FUNCTION judge_notifications(recipient bigint, sender bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL AND (CASE
    WHEN recipient IS NULL THEN EXISTS (SELECT FROM notifications WHERE from_account_id = sender)
    WHEN sender IS NULL THEN EXISTS (SELECT FROM notifications WHERE account_id = recipient)
    ELSE EXISTS (SELECT FROM notifications WHERE account_id = recipient AND from_account_id = sender)
  END) THEN
    PERFORM graphile_worker.add_job(
      'notifications.hidden',
      json_strip_nulls(json_build_object('accountId', recipient::text, 'fromId', sender::text)),
      job_key := concat('notifications.hidden:', recipient, ':', sender), priority := 10
    );
  END IF;
END
$$;

CREATE FUNCTION hiding_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  IF TG_TABLE_NAME = 'accounts' THEN
    PERFORM judge_notifications(NULL, changed.id);
  ELSIF TG_TABLE_NAME = 'account_domain_blocks' THEN
    PERFORM judge_notifications(changed.account_id, NULL);
  ELSE
    PERFORM judge_notifications(changed.account_id, changed.target_account_id);
    IF TG_TABLE_NAME = 'blocks' THEN
      PERFORM judge_notifications(changed.target_account_id, changed.account_id);
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER hiding_changed AFTER INSERT OR DELETE ON blocks
  FOR EACH ROW EXECUTE FUNCTION hiding_changed();
CREATE TRIGGER hiding_changed AFTER INSERT OR UPDATE OR DELETE ON mutes
  FOR EACH ROW EXECUTE FUNCTION hiding_changed();
CREATE TRIGGER hiding_changed AFTER INSERT OR DELETE ON account_domain_blocks
  FOR EACH ROW EXECUTE FUNCTION hiding_changed();
CREATE TRIGGER hiding_changed AFTER UPDATE OF suspended_at ON accounts
  FOR EACH ROW WHEN ((OLD.suspended_at IS NULL) <> (NEW.suspended_at IS NULL))
  EXECUTE FUNCTION hiding_changed();

-- Those who are hidden until then, but not for good: of the others a job of an earlier migration takes care.
SELECT judge_notifications(account_id, target_account_id) FROM mutes
WHERE hide_notifications AND expires_at IS NOT NULL;
SELECT judge_notifications(target_account_id, account_id) FROM blocks;
SELECT judge_notifications(NULL, id) FROM accounts WHERE suspended_at IS NOT NULL;
