-- In keywords with this, `*` stands for any letters of a word (domain/filters/match.ts).
ALTER TABLE filter_keywords ADD COLUMN wildcards boolean NOT NULL DEFAULT false;
