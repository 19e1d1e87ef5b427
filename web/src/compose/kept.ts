// Keeps drafts on the server for a person's other apps and browsers. The browser has a copy of each that it works on,
// also without a connection; the server gets it some seconds after a change.

import { newId } from "../api/new-id.ts";
import type { MediaAttachment } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import type { App } from "../app.ts";
import { say } from "../window/messages.ts";
import { openDrafts } from "./browser-drafts.ts";
import { isEmpty, threadBody } from "./draft.ts";
import type { Draft, Kept, Purpose } from "./draft.ts";
import { restored } from "./restore.ts";
import type { SentStatus } from "./restore.ts";
import type { Session } from "./at-work.ts";

export type ServerDraft = {
  id: string;
  version: number;
  statuses: SentStatus[];
  scheduled_at: string | null;
  media_attachments: MediaAttachment[];
  updated_at: string;
};

const PATH = "/api/v1/drafts";
const AFTER_MS = 2000;

/** Whether the draft is kept on the server; an edit belongs to its post, and stays in the browser. */
const isKeptThere = ({ purpose }: Draft): boolean => purpose.kind !== "edit";

const keptOf = ({ id, version }: ServerDraft): Kept => ({ id, version });

type Sending = Pick<Session, "app">;

const update = async ({ app: { send } }: Sending, draft: Draft, { id, version }: Kept) => {
  const body = { ...threadBody(draft), version };
  return keptOf((await send<ServerDraft>("PUT", `${PATH}/${id}`, { body })).body);
};

const isSame = (draft: Draft, { statuses }: ServerDraft): boolean => {
  const said = threadBody(draft).statuses as Record<string, unknown>[];
  const text = (value: unknown) => JSON.stringify(value ?? null);
  const isThere = (post: Record<string, unknown>, n: number) =>
    Object.entries(post).every(
      ([name, value]) => text(value) === text(statuses[n]?.[name as keyof SentStatus]),
    );
  return said.length === statuses.length && said.every(isThere);
};

const isSameText = (one: Draft, other: Draft): boolean =>
  JSON.stringify(threadBody(one)) === JSON.stringify(threadBody(other));

/**
 * Creates the draft. If an earlier request with the key arrived, the draft has the text of that time, and is updated.
 */
const create = async (session: Sending, draft: Draft, key: string): Promise<Kept> => {
  const options = { body: threadBody(draft), headers: { "idempotency-key": key } };
  const { body } = await session.app.send<ServerDraft>("POST", PATH, options);
  return isSame(draft, body) ? keptOf(body) : update(session, draft, body);
};

/**
 * Writes the draft. If it was changed or deleted elsewhere meanwhile, that is not overwritten: this one becomes a new
 * draft.
 */
const write = async (session: Session, draft: Draft): Promise<Kept> => {
  const { kept, parts } = draft;
  if (!kept) return create(session, draft, parts[0]!.key);
  try {
    return await update(session, draft, kept);
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) throw error;
    if (error.status === 409) say(session.app.t("drafts.conflict"));
    return create(session, draft, newId());
  }
};

const drop = async ({ app }: Session, { id }: Kept): Promise<void> => {
  await app.send("DELETE", `${PATH}/${id}`).catch(() => {});
};

/** Requests of each composer, which follow each other. */
const running = new WeakMap<Session, Promise<void>>();
/** The same of all composers. */
const writes = new Set<Promise<void>>();

const inTurn = (session: Session, work: () => Promise<void>): Promise<void> => {
  // A failed draft stays in the browser, and is tried again with the next change.
  const next = (running.get(session) ?? Promise.resolve()).then(work).catch(() => {});
  running.set(session, next);
  writes.add(next);
  return next.finally(() => writes.delete(next));
};

/** Resolves when the server has answered what this window is writing: before that it may have a draft twice. */
export const untilWritten = async (): Promise<void> => void (await Promise.all(writes));

const setKept = (session: Session, kept: Kept | undefined, sent: Draft): void => {
  const draft = session.draft.peek();
  session.draft.value = { ...draft, kept, isAhead: draft !== sent };
  if (!session.isEnded) session.drafts.keep(session.draft.peek());
};

const keep = async (session: Session): Promise<void> => {
  const draft = session.draft.peek();
  const isBusy = session.isSending.peek() || session.isEnded || session.mustDelete.peek();
  if (isBusy || draft.isWaiting || !draft.isAhead || !isKeptThere(draft) || !navigator.onLine)
    return;
  if (!isEmpty(draft)) return setKept(session, await write(session, draft), draft);
  if (!draft.kept) return;
  await drop(session, draft.kept);
  setKept(session, undefined, draft);
};

const waiting = new Map<Session, ReturnType<typeof setTimeout>>();

export const keepNow = (session: Session): void => {
  clearTimeout(waiting.get(session));
  waiting.delete(session);
  void inTurn(session, () => keep(session));
};

export const keepSoon = (session: Session): void => {
  clearTimeout(waiting.get(session));
  waiting.set(
    session,
    setTimeout(() => keepNow(session), AFTER_MS),
  );
};

/** Whether the browser alone has it, as far as it knows; one that was sent as a post is left to who sends it again. */
const isLeft = (draft: Draft): boolean =>
  !draft.kept && !draft.parts[0]!.attempt && isKeptThere(draft) && !isEmpty(draft);

/**
 * Keeps drafts whose window was closed before the server had answered. It may have them: the same key leads to the
 * same draft. Returns whether there were any.
 */
export const keepLeft = async (app: App): Promise<boolean> => {
  for (const session of waiting.keys()) keepNow(session);
  await untilWritten();
  const drafts = openDrafts(localStorage, app.me!.id);
  const left = drafts.list().filter(isLeft);
  const keepOne = async (draft: Draft): Promise<void> => {
    const kept = await create({ app }, draft, draft.parts[0]!.key);
    // It may be written to meanwhile, in another window.
    const now = drafts.find(draft.purpose);
    if (now && !now.kept) drafts.keep({ ...now, kept, isAhead: !isSameText(now, draft) });
  };
  await Promise.all(left.map(keepOne));
  return left.length > 0;
};

/** Deletes a draft that was posted or discarded. */
export const dropKept = (session: Session): void => {
  clearTimeout(waiting.get(session));
  waiting.delete(session);
  void inTurn(session, async () => {
    const { kept } = session.draft.peek();
    if (kept) await drop(session, kept);
  });
};

/** Opens a draft in the form of a composer. Throws ApiError. */
export const openKept = async (app: App, purpose: Purpose, id: string): Promise<Draft> => {
  const { body } = await app.get<ServerDraft>(`${PATH}/${id}`);
  return { ...restored(app, purpose, body), kept: keptOf(body) };
};

/** Returns the newest version of the browser's copy; null if it was posted or deleted elsewhere. */
export const newest = async (app: App, draft: Draft): Promise<Draft | null> => {
  const { kept, isAhead, purpose, widest, begin } = draft;
  if (!kept || isAhead) return draft;
  try {
    const current = await openKept(app, purpose, kept.id);
    return current.kept!.version === kept.version ? draft : { ...current, widest, begin };
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? null : draft;
  }
};
