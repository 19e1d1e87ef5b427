-- The version of the terms of service that was in force at sign-up and was agreed to, by the day from which it holds; null: there
-- was none, or it is not known.
ALTER TABLE users ADD COLUMN agreed_terms date;
