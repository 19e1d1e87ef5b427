// Handles that somebody moved to another account: local people who blocked or muted the old one do the same to the new
// one, and their notes about it are copied, with a word on where they come from.

import type { App } from "../../../platform/app.ts";
import type { AccountView } from "../accounts/tables.ts";
import { acct, formerName } from "../accounts/present.ts";
import { block } from "./block.ts";
import { loadRelations } from "./load.ts";
import { mute } from "./mute.ts";
import { MAX_LENGTH, writeNote } from "./note.ts";
import { selectPeopleConcerned } from "./queries.ts";
import type { Relation } from "./tables.ts";

const SLICE = 50;

type Accounts = { from: AccountView; to: AccountView };

/** `before` and `now` are the relations to the old account and to the new one. */
type Person = { id: string; before: Relation; now: Relation };

const carryMute = async (app: App, { id, before }: Person, toId: string): Promise<void> => {
  const { muting_expires_at: end, muting_notifications: notifications } = before;
  const left = end ? Math.ceil((end.getTime() - app.clock.now().getTime()) / 1000) : 0;
  if (end && left <= 0) return;
  await mute(app, { accountId: id, targetId: toId, notifications, duration: left });
};

const textOf = (person: Person, from: string): string => {
  const { before, now } = person;
  const parts = [
    before.note === ""
      ? `Moved from @${from}.`
      : `Moved from @${from}. Your note there:\n${before.note}`,
    ...(before.blocking ? ["You blocked that account."] : []),
    ...(before.muting ? ["You muted that account."] : []),
    ...(now.note === "" ? [] : [now.note]),
  ];
  return parts.join("\n\n").slice(0, MAX_LENGTH).toWellFormed();
};

/**
 * Returns the name that people knew. An account of a server that was set up anew has given its handle to the new one.
 */
const nameOf = ({ from, to }: Accounts): string =>
  acct(from.username === formerName(from.id) ? to : from);

/** Carries the private note over. It is written last, so that a repeated job finds what it has done. */
const carryNote = async (app: App, person: Person, accounts: Accounts): Promise<void> => {
  const name = nameOf(accounts);
  if (person.now.note.startsWith(`Moved from @${name}.`)) return;
  await writeNote(app, { accountId: person.id, targetId: accounts.to.id }, textOf(person, name));
};

/** People who follow the new account by then chose to see it. */
const carryOne = async (app: App, person: Person, accounts: Accounts): Promise<void> => {
  const { before, now } = person;
  const { id: toId } = accounts.to;
  const isChosen = now.following || now.requested;
  const hides = before.blocking || before.muting;
  if (before.blocking && !now.blocking && !isChosen) {
    await block(app, { accountId: person.id, targetId: toId });
  }
  if (before.muting && !now.muting && !isChosen) await carryMute(app, person, toId);
  if (before.note !== "" || (hides && now.note === "")) await carryNote(app, person, accounts);
};

/** Processes a slice of the people; returns where the next one begins, or null. */
export const carryOver = async (
  app: App,
  accounts: Accounts,
  after: string,
): Promise<string | null> => {
  const { from, to } = accounts;
  const people = await selectPeopleConcerned(app.sql, from.id, after, SLICE);
  for (const id of people) {
    if (id === to.id) continue;
    const relations = await loadRelations(app, id, [from.id, to.id]);
    const person = { id, before: relations.get(from.id)!, now: relations.get(to.id)! };
    await carryOne(app, person, accounts);
  }
  return people.length < SLICE ? null : people.at(-1)!;
};
