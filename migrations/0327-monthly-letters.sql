-- The month of the last letter that a person got about it (domain/mails/letter.ts): its first day.
ALTER TABLE users ADD COLUMN letter_month date;

-- Whom letters are for: few, who asked for it.
CREATE INDEX users_letters ON users (letter_month) WHERE settings -> 'mails' -> 'letter' = 'true'::jsonb;
