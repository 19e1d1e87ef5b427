// The one place where the inbox meets the commands that write statuses, favourites and what is taken
// back: all acts of a batch together.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { addPoll } from "../../domain/polls/add.ts";
import { applyMany } from "../../domain/statuses/apply-many.ts";
import type { Applied, Many } from "../../domain/statuses/apply-many.ts";
import type { NewStatus } from "../../domain/statuses/create.ts";
import { addQuote } from "../../domain/statuses/quotes/add.ts";
import type { Visibility } from "../../domain/statuses/tables.ts";
import "../events.ts";
import { insertEarlyDeletes } from "./queries.ts";
import type { EarlyDelete } from "./queries.ts";
import { selectStatusFacts } from "./queries-facts.ts";

/** A status of elsewhere, which has an address. */
export type NewNote = NewStatus & { uri: string };

export type NewReblog = {
  accountId: string;
  username: string;
  targetId: string;
  visibility: Visibility;
  uri: string;
  createdAt: Date;
};

export type Act =
  | { do: "create"; note: NewNote }
  | { do: "reblog"; reblog: NewReblog }
  | { do: "favourite"; accountId: string; statusId: string; uri: string }
  | { do: "unfavourite"; accountId: string; statusId: string }
  | { do: "remove"; statusId: string }
  /** Something was deleted, or an act undone, that has not come yet. */
  | { do: "noteDelete"; gone: EarlyDelete };

const isEmpty = (lists: Record<string, unknown[]>): boolean =>
  Object.values(lists).every((list) => list.length === 0);

/** Polls and quotes of the notes that are new. */
const addRareParts = async (app: App, tx: Tx, notes: NewNote[], created: string[]) => {
  const rare = notes.filter((note) => note.poll || note.quote);
  if (rare.length === 0) return;
  const rows = await selectStatusFacts(
    tx,
    rare.map((note) => note.uri),
  );
  const isNew = new Set(created);
  for (const { id: statusId, uri } of rows) {
    if (!isNew.has(statusId)) continue;
    const note = rare.find((one) => one.uri === uri)!;
    if (note.poll) await addPoll(app, tx, statusId, note.poll);
    if (note.quote) await addQuote(app, tx, { ...note, statusId, quote: note.quote });
  }
};

const collect = (app: App, acts: Act[]) => {
  const many: Many = { notes: [], reblogs: [], favourites: [], unfavourites: [], removals: [] };
  const early: EarlyDelete[] = [];
  const notes: NewNote[] = [];
  for (const act of acts) {
    if (act.do === "create") {
      const createdAt = act.note.createdAt ?? app.clock.now();
      many.notes.push({ ...act.note, createdAt });
      notes.push(act.note);
    } else if (act.do === "reblog") many.reblogs.push(act.reblog);
    else if (act.do === "favourite") many.favourites.push(act);
    else if (act.do === "unfavourite") many.unfavourites.push(act);
    else if (act.do === "remove") many.removals.push(act.statusId);
    else early.push(act.gone);
  }
  return { many, early, notes };
};

/** Does what activities do, with all that follows from it. What was done already changes nothing. */
export const applyActs = async (app: App, tx: Tx, acts: Act[]): Promise<void> => {
  const { many, early, notes } = collect(app, acts);
  if (early.length > 0) await insertEarlyDeletes(tx, early, app.clock.now());
  if (isEmpty(many)) return;
  const applied: Applied = await applyMany(tx, many);
  await addRareParts(app, tx, notes, applied.created);
  if (!isEmpty(applied)) await app.jobs.add(tx, "inbox.applied", applied);
};

/** Stores a note that was fetched; its id, old or new. Null when it is known to be deleted. */
export const createNote = async (app: App, tx: Tx, note: NewNote): Promise<string | null> => {
  await applyActs(app, tx, [{ do: "create", note }]);
  const [row] = await selectStatusFacts(tx, [note.uri]);
  return row?.id ?? null;
};
