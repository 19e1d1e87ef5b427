// Checks what a poll may contain, and who may vote. Limits are those of the contract (limits.json, poll).

import { Unprocessable } from "../../../platform/errors.ts";
import { countCharacters, isBlank } from "../../../platform/text/count.ts";
import type { NewPoll, PollRow } from "./tables.ts";

const POLL_LIMITS = {
  options: 4,
  characters: 50,
  minSeconds: 300,
  maxSeconds: 2_629_746,
};

/** A poll as clients send it. */
export type PollDraft = {
  options?: string[] | null | undefined;
  expires_in?: number | null | undefined;
  multiple?: boolean | null | undefined;
  hide_totals?: boolean | null | undefined;
};

const invalid = (what: string) => new Unprocessable(`Validation failed: ${what}`);

const checkOptions = (titles: string[]): string[] => {
  const options = titles.map((option) => option.trim());
  if (options.some(isBlank)) throw invalid("Choices can't be blank");
  if (options.length < 2) throw invalid("Choices must have more than one item");
  if (options.length > POLL_LIMITS.options) {
    throw invalid(`Choices can't contain more than ${POLL_LIMITS.options} items`);
  }
  const isLong = (option: string) =>
    option.length > POLL_LIMITS.characters * 20 ||
    countCharacters(option, "") > POLL_LIMITS.characters;
  if (options.some(isLong)) {
    throw invalid(`Choices can't be longer than ${POLL_LIMITS.characters} characters each`);
  }
  if (new Set(options).size < options.length) throw invalid("Choices contain duplicate items");
  return options;
};

const checkSeconds = (seconds: number): number => {
  if (seconds < POLL_LIMITS.minSeconds) throw invalid("Deadline is too soon");
  if (seconds > POLL_LIMITS.maxSeconds) throw invalid("Deadline is too far into the future");
  return seconds;
};

/** Throws 422 for an invalid poll. */
export const checkPoll = (draft: PollDraft, now: Date): NewPoll => {
  const options = checkOptions(draft.options ?? []);
  if (typeof draft.expires_in !== "number") throw invalid("Deadline can't be blank");
  const seconds = checkSeconds(draft.expires_in);
  return {
    options,
    tallies: options.map(() => 0),
    multiple: draft.multiple ?? false,
    hideTotals: draft.hide_totals ?? false,
    votersCount: 0,
    expiresAt: new Date(now.getTime() + seconds * 1000),
  };
};

/** Returns whether votes in one poll mean the same in the other. */
export const isSamePoll = (
  before: { options: string[]; multiple: boolean },
  now: { options: string[]; multiple: boolean },
): boolean =>
  before.multiple === now.multiple &&
  before.options.length === now.options.length &&
  before.options.every((option, index) => option === now.options[index]);

/** Returns distinct, existing choices; throws 422. */
export const checkChoices = (
  choices: number[],
  poll: { options: string[]; multiple: boolean },
): number[] => {
  const distinct = [...new Set(choices)];
  if (distinct.some((choice) => !(choice in poll.options))) {
    throw invalid("The chosen vote option does not exist");
  }
  if (!poll.multiple && distinct.length > 1) {
    throw invalid("You have already voted on this poll");
  }
  return distinct;
};

export const isSameTime = (time: Date | null, other: Date | null): boolean =>
  time?.getTime() === other?.getTime();

/** Returns whether an edit changes the poll, or its deadline (undefined leaves it alone, null removes it). */
export const changesPoll = (before: PollRow | null, next: NewPoll | null | undefined): boolean => {
  if (next === undefined) return false;
  if (before === null || next === null) return before !== next;
  const end = before.expires_at === null ? null : new Date(before.expires_at);
  return (
    !isSamePoll(before, next) ||
    before.hide_totals !== next.hideTotals ||
    !isSameTime(end, next.expiresAt)
  );
};
