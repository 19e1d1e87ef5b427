-- Each delivery to a host wrote an entry into the index of when hosts were last sent to, for an hourly look at hosts that
-- nothing was sent to for a month: that look reads the table, which has a row for each host.
DROP INDEX remote_hosts_idle;
