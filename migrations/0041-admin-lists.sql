-- no transaction
-- The lists of moderators, each by an index, however many accounts and reports there are.
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_local ON accounts (id DESC) WHERE domain IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_of_domain ON accounts (domain, id DESC) WHERE domain IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_suspended ON accounts (id DESC) WHERE suspended_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_silenced ON accounts (id DESC) WHERE silenced_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_sensitized ON accounts (id DESC) WHERE sensitized_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_display_name_prefix ON accounts ((left(lower(display_name), 100)) COLLATE "C") WHERE display_name <> '';
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_role ON users (role_id, account_id DESC) WHERE role_id <> -99;
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_pending ON users (account_id DESC) WHERE NOT approved;
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_disabled ON users (account_id DESC) WHERE disabled;
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_created ON users (created_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_email_prefix ON users (lower(email::text) COLLATE "C");
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_sign_up_ip ON users USING gist (sign_up_ip inet_ops);
CREATE INDEX CONCURRENTLY IF NOT EXISTS sessions_ip ON sessions USING gist (ip inet_ops);
CREATE INDEX CONCURRENTLY IF NOT EXISTS reports_resolved ON reports (id) WHERE action_taken_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS reports_resolved_at ON reports (action_taken_at) WHERE action_taken_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS reports_account_page ON reports (account_id, id);
-- Superseded by the longer ones.
DROP INDEX CONCURRENTLY IF EXISTS accounts_domain;
DROP INDEX CONCURRENTLY IF EXISTS reports_account;
