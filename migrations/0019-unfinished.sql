-- Statuses written here whose consequences (feeds, notifications, deliveries) are still to come: the
-- process that wrote them works on them from memory, and at its start on what a dead one left
-- (docs/decisions/0007-posting.md). Without a foreign key: a status that is gone has no consequences.
CREATE TABLE unfinished_statuses (
  status_id bigint PRIMARY KEY
);
