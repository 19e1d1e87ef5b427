-- Local statuses whose follow-up work (feeds, notifications, deliveries) is not done yet: the process that
-- wrote them works on them from memory, and at its start on those of a dead process
-- (docs/design/write-path.md). Without a foreign key: a deleted status needs no follow-up work.
CREATE TABLE unfinished_statuses (
  status_id bigint PRIMARY KEY
);
