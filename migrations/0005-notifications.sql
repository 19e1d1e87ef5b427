-- Notifications.

CREATE TABLE notifications (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  from_account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  type text NOT NULL,
  status_id bigint REFERENCES statuses (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One notification per event, so that a retried job creates no second one.
CREATE UNIQUE INDEX notifications_once
  ON notifications (account_id, type, from_account_id, (coalesce(status_id, 0)));
CREATE INDEX notifications_page ON notifications (account_id, id DESC);
CREATE INDEX notifications_from ON notifications (from_account_id);
CREATE INDEX notifications_status ON notifications (status_id) WHERE status_id IS NOT NULL;
