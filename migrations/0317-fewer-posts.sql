-- Of somebody who is followed: without what they answer to others; at most so many posts of a day (timelines/belongs.ts).
ALTER TABLE follows
  ADD COLUMN show_replies boolean NOT NULL DEFAULT true,
  ADD COLUMN daily_limit smallint CHECK (daily_limit BETWEEN 1 AND 100);
ALTER TABLE follow_requests
  ADD COLUMN show_replies boolean NOT NULL DEFAULT true,
  ADD COLUMN daily_limit smallint CHECK (daily_limit BETWEEN 1 AND 100);
