// Fetching what an activity wants before it can be judged: in the lane, until a deadline, and with a
// memory of what could not be had.

import type { App } from "../../platform/app.ts";
import { hostIn } from "../../platform/json/read.ts";
import { fetchActor } from "../actors.ts";
import { RemoteFault, orNull } from "../faults.ts";
import { throughBreaker } from "../host-breaker.ts";
import { refreshNote, statusByUri } from "../notes.ts";
import { selectStatusUri } from "../queries.ts";
import type { Fetched } from "./facts.ts";
import { LaneFull } from "./lane.ts";
import type { Lane } from "./lane.ts";
import type { Want } from "./verdict.ts";

/** After this the activity is judged without what has not come, or tried again later. */
const DEADLINE_MS = 30_000;
/** What its server refused is not asked for again so soon, however many activities name it. */
const REFUSED_SECONDS = 60;

const refusedKey = (uri: string) => `fetch-refused:${uri}`;

const fetchNote = async (app: App, { uri, anew }: Want): Promise<string | null> => {
  if (anew) return (await orNull(refreshNote(app, uri))) ? uri : null;
  if (await app.kv.get(refusedKey(uri))) return null;
  const id = await statusByUri(app, uri);
  if (id === null) await app.kv.set(refusedKey(uri), "1", REFUSED_SECONDS);
  return id === null ? null : selectStatusUri(app.sql, id);
};

const fetchOne = async (app: App, want: Want): Promise<string | null> => {
  if (want.kind === "note") return fetchNote(app, want);
  await orNull(throughBreaker(app, want.uri, () => fetchActor(app, want.uri)));
  return want.uri;
};

const tooLate = (): RemoteFault =>
  new RemoteFault("unreachable", "It could not be fetched in the time that there is");

/** Rejects at the deadline; what runs goes on, and counts in the lane. */
const inTime = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(tooLate()), DEADLINE_MS);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
};

const isAway = (error: unknown): boolean =>
  error instanceof RemoteFault && error.kind === "unreachable";

export type Fetching = { actorUri: string; wants: Want[] };

/**
 * Under which address each is known now, or null. Throws RemoteFault (unreachable) where one that
 * the activity cannot do without is to be tried again later; LaneFull when there is no place.
 */
export const fetchWanted = async (
  app: App,
  lane: Lane,
  { actorUri, wants }: Fetching,
): Promise<Fetched> => {
  const sender = hostIn(actorUri) ?? "";
  const had = wants.map(async (want): Promise<[string, string | null]> => {
    const target = hostIn(want.uri) ?? "";
    try {
      const work = () => fetchOne(app, want);
      const found = await inTime((signal) => lane.run({ target, sender, work, signal }));
      return [want.uri, found];
    } catch (error) {
      if (want.ifAway === "later" || error instanceof LaneFull) throw error;
      if (!isAway(error)) app.log.error({ err: error, uri: want.uri }, "not fetched");
      return [want.uri, null];
    }
  });
  return new Map(await Promise.all(had));
};
