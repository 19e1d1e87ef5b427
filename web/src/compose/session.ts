// An open composer: its draft, what is being uploaded and sent. It outlives its drawing: a sheet that is closed and
// opened again, or the composer of another page for the same purpose, continues with it.

import { newId } from "../api/new-id.ts";
import { signal } from "@preact/signals";
import type { App } from "../app.ts";
import { beginDraft } from "./begin.ts";
import { draftName, isEmpty, newPart } from "./draft.ts";
import type { Draft, DraftMedia, Part, Purpose } from "./draft.ts";
import { openDrafts } from "./browser-drafts.ts";
import { dropKept, keepNow, keepSoon, newest } from "./kept.ts";
import type { Opening } from "./open.ts";
import type { Session } from "./at-work.ts";

const sessions = new Map<string, Session>();

const SAVE_AFTER_MS = 300;
const waiting = new Map<Session, ReturnType<typeof setTimeout>>();

const save = (session: Session): void => {
  clearTimeout(waiting.get(session));
  waiting.delete(session);
  if (session.mustDelete.peek()) return;
  session.drafts.keep(session.draft.peek());
  keepSoon(session);
};

/** Saves all drafts at once, as before the window closes. */
export const saveDrafts = (): void => {
  for (const session of waiting.keys()) save(session);
};

/** Saves all drafts, and sends this one to the server now, because its composer is closed. */
export const leaveSession = (session: Session): void => {
  saveDrafts();
  if (!session.isEnded) keepNow(session);
};

addEventListener("pagehide", saveDrafts);
document.addEventListener("visibilitychange", () => document.hidden && saveDrafts());

/** Changes the draft, and saves it soon after. */
export const change = (session: Session, how: (draft: Draft) => Partial<Draft>): void => {
  const draft = session.draft.peek();
  session.draft.value = { ...draft, isAhead: true, ...how(draft) };
  session.trouble.value = null;
  clearTimeout(waiting.get(session));
  waiting.set(
    session,
    setTimeout(() => save(session), SAVE_AFTER_MS),
  );
};

export const changePart = (
  session: Session,
  key: string,
  how: (part: Part) => Partial<Part>,
): void =>
  change(session, ({ parts }) => ({
    parts: parts.map((part) => (part.key === key ? { ...part, ...how(part) } : part)),
  }));

export const changeMedia = (
  session: Session,
  partKey: string,
  id: string,
  more: Partial<DraftMedia>,
): void =>
  changePart(session, partKey, ({ media }) => ({
    media: media.map((each) => (each.id === id ? { ...each, ...more } : each)),
  }));

/** Adds another post after this one, with the same content warning. */
export const addPart = (session: Session, after: Part): string => {
  const part: Part = { ...newPart(), warning: after.warning };
  change(session, ({ parts }) => ({
    parts: parts.flatMap((each) => (each.key === after.key ? [each, part] : [each])),
  }));
  return part.key;
};

export const removePart = (session: Session, key: string): void =>
  change(session, ({ parts }) => ({ parts: parts.filter((part) => part.key !== key) }));

/** Ends the composer; the next one for this purpose begins anew. */
export const endSession = (session: Session): void => {
  const { purpose } = session.draft.peek();
  clearTimeout(waiting.get(session));
  waiting.delete(session);
  session.isEnded = true;
  session.drafts.forget(purpose);
  sessions.delete(draftName(purpose));
  dropKept(session);
};

/** Puts a draft aside among the drafts, so that the next one for its purpose begins anew. */
export const setAside = (session: Session): void => {
  const draft = session.draft.peek();
  session.drafts.forget(draft.purpose);
  sessions.delete(draftName(draft.purpose));
  const purpose: Purpose = { kind: "draft", id: draft.kept?.id ?? newId() };
  sessions.set(draftName(purpose), session);
  // What was suggested is now somebody's own.
  change(session, () => ({ purpose, begin: "" }));
  leaveSession(session);
};

/** Deletes a draft that only the browser has, also where a composer is open for it. */
export const forgetDraft = (accountId: string, purpose: Purpose): void => {
  const session = sessions.get(draftName(purpose));
  if (session) endSession(session);
  openDrafts(localStorage, accountId).forget(purpose);
};

const withSuggestion = (draft: Draft, { text, inReplyTo }: Opening): boolean =>
  Boolean(text && !draft.parts.some((part) => part.text.includes(text))) ||
  Boolean(inReplyTo && draft.inReplyTo !== inReplyTo);

/** Returns the composer for a purpose: the open one, the kept draft, or a new one. Throws ApiError. */
export const openSession = async (app: App, opening: Opening): Promise<Session> => {
  const name = draftName(opening.purpose);
  const known = sessions.get(name);
  if (known && !isEmpty(known.draft.peek()) && !withSuggestion(known.draft.peek(), opening))
    return known;
  const drafts = openDrafts(localStorage, app.me!.id);
  const copy = drafts.find(opening.purpose);
  const kept = copy && (await newest(app, copy));
  const isKept = kept !== null && !withSuggestion(kept, opening);
  const draft = isKept ? kept : await beginDraft(app, opening);
  const session: Session = {
    app,
    drafts,
    draft: signal(draft),
    uploads: signal([]),
    isSending: signal(false),
    isTried: signal(false),
    trouble: signal(null),
    outcome: signal(null),
    isEnded: false,
    mustDelete: signal(opening.purpose.kind === "redraft" && !isKept),
  };
  sessions.set(name, session);
  return session;
};

/** Returns the composer to write in: a post that waits for the server is not sent while it is changed. */
export const openToWrite = async (app: App, opening: Opening): Promise<Session> => {
  const session = await openSession(app, opening);
  if (!session.draft.peek().isWaiting || session.isSending.peek()) return session;
  session.outcome.value = null;
  change(session, () => ({ isWaiting: false }));
  saveDrafts();
  session.trouble.value = { text: app.t("compose.taken_back"), isNote: true };
  return session;
};
