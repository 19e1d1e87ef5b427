-- Why a scheduled post was refused at its time: it stays for its author, who chooses another time or deletes it.
ALTER TABLE scheduled_statuses ADD COLUMN fault text;
