-- The Delete of an account is sent while its rows are still being deleted, and outlives the last of them. Without
-- a foreign key: an activity whose sender is gone is not sent, and deleted by age like any other.
ALTER TABLE outgoing_activities DROP CONSTRAINT outgoing_activities_account_id_fkey;
