// Fetches the documents that an activity needs before it can be judged, in the lane and with a deadline.

import type { App } from "../../platform/app.ts";
import { hostIn } from "../../platform/json/read.ts";
import type { JobPayloads } from "../../platform/jobs/index.ts";
import { fetchActor, refreshActor } from "../actors.ts";
import { isAuthorizedFor } from "../authorizations.ts";
import "../events.ts";
import { fetchCollection } from "../featured-collections.ts";
import { RemoteFault, nullUnlessTemporary } from "../faults.ts";
import { withBreaker } from "../with-breaker.ts";
import { refreshNote, removeGoneNote, statusByUri } from "../notes.ts";
import { selectStatusUri } from "../queries.ts";
import type { Fetched } from "./facts.ts";
import { LaneFull } from "./lane.ts";
import type { Lane } from "./lane.ts";
import type { Dependency } from "./decision.ts";

/** Milliseconds after which the activity is judged without the document, or tried again later. */
const DEADLINE_MS = 30_000;

type Known = Pick<Dependency, "uri" | "removeIfGone"> & { kind: "actor" | "note" };

/** Reads a stored document again; null where there is nothing usable, or nothing stored. */
const refreshed = async (app: App, { uri, kind, removeIfGone }: Known) => {
  try {
    if (kind === "actor") return await withBreaker(app, uri, () => refreshActor(app, uri));
    return await refreshNote(app, uri, "refresh");
  } catch (error) {
    if (!(error instanceof RemoteFault) || error.kind === "unreachable") throw error;
    if (removeIfGone && error.kind === "gone") await removeGoneNote(app, uri);
    return null;
  }
};

/** Reads a document that changed, and once more later, because the first answer may be an older copy from a cache. */
const refresh = async (app: App, { uri, kind, removeIfGone = false }: Known) => {
  const fresh = await refreshed(app, { uri, kind, removeIfGone });
  if (!fresh) return kind === "actor" ? uri : null;
  if (fresh.staleSeconds > 0) {
    const runAt = new Date(app.clock.now().getTime() + (fresh.staleSeconds + 1) * 1000);
    const payload = { uri, kind, removeIfGone };
    await app.jobs.add(app.sql, "document.reread", payload, { runAt, key: `reread:${uri}` });
  }
  return uri;
};

/** Handles the job `document.reread`. */
export const runReread = async (
  app: App,
  { isChange = false, ...known }: JobPayloads["document.reread"],
): Promise<void> => {
  await (isChange ? refresh(app, known) : refreshed(app, known));
};

const fetchOne = async (app: App, dependency: Dependency): Promise<string | null> => {
  const { uri, kind } = dependency;
  if (kind === "authorization") {
    const claim = { uri, ...dependency.allows! };
    return (await withBreaker(app, uri, () => isAuthorizedFor(app, claim))) ? uri : null;
  }
  if (kind === "collection") {
    await nullUnlessTemporary(withBreaker(app, uri, () => fetchCollection(app, uri, "collection")));
    return uri;
  }
  if (dependency.refresh) return refresh(app, { ...dependency, kind });
  if (kind === "actor") {
    await nullUnlessTemporary(withBreaker(app, uri, () => fetchActor(app, uri, "actor")));
    return uri;
  }
  const id = await statusByUri(app, uri, { approvalUri: dependency.approvalUri ?? null });
  return id === null ? null : selectStatusUri(app.sql, id);
};

const tooLate = (): RemoteFault =>
  new RemoteFault("unreachable", "It could not be fetched in the time that there is");

/** Rejects at the deadline. The work continues and keeps its place in the lane. */
const inTime = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(tooLate()), DEADLINE_MS);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
};

const isUnreachable = (error: unknown): boolean =>
  error instanceof RemoteFault && error.kind === "unreachable";

export type Fetching = { actorUri: string; dependencies: Dependency[] };

/**
 * Fetches all dependencies; returns the address under which each is stored, or null. Throws RemoteFault (unreachable)
 * for one with `ifUnreachable: "later"`, and LaneFull when there is no place.
 */
export const fetchDependencies = async (
  app: App,
  lane: Lane,
  { actorUri, dependencies }: Fetching,
): Promise<Fetched> => {
  const sender = hostIn(actorUri) ?? "";
  const had = dependencies.map(async (dependency): Promise<[string, string | null]> => {
    const target = hostIn(dependency.uri) ?? "";
    try {
      const work = () => fetchOne(app, dependency);
      const uri = await inTime((signal) => lane.run({ target, sender, work, signal }));
      return [dependency.uri, uri];
    } catch (error) {
      if (dependency.ifUnreachable === "later" || error instanceof LaneFull) throw error;
      if (!isUnreachable(error)) app.log.error({ err: error, uri: dependency.uri }, "not fetched");
      return [dependency.uri, null];
    }
  });
  return new Map(await Promise.all(had));
};
