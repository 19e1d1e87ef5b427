-- The body of an activity that waits is stored as it is: most are larger than the 2 KB from which rows are compressed,
-- which takes as long as the rest of the insert, for a row that lives for a second. Longer ones than a page are still
-- compressed.
ALTER TABLE incoming_activities SET (toast_tuple_target = 8160);
