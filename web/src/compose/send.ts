// Posts a draft, as one post or one thread, with an idempotency key, so that what was sent before a failure is not
// posted twice. If anything fails, the draft stays.

import type { ScheduledStatus, Status } from "../api/entities.ts";
import { moment } from "../text/time.ts";
import { ApiError } from "../api/get.ts";
import { SessionEnded } from "../api/session.ts";
import { showPosted } from "../acts/posted.ts";
import { say } from "../window/messages.ts";
import { wordsFor } from "../text/fault.ts";
import { shownName } from "../elements/names.tsx";
import { loadInGroups } from "../store/in-groups.ts";
import { keepStatus } from "../store/store.ts";
import { editBodyOf, postOf, savedForm, withAttempt } from "./draft.ts";
import type { Draft, DraftMedia, Part } from "./draft.ts";
import { quotedId } from "./begin.ts";
import { visibilityOf } from "../api/visibility.ts";
import { change, changeMedia, changePart, endSession, saveDrafts, setAside } from "./session.ts";
import type { Outcome, Session, Trouble } from "./at-work.ts";

const saveMedia = async (session: Session, part: Part, media: DraftMedia): Promise<void> => {
  const { id, description, focus } = media;
  const saved = savedForm(media);
  if (saved === media.saved) return;
  const body = { description, focus: `${focus.x},${focus.y}` };
  await session.app.send("PUT", `/api/v1/media/${id}`, { body });
  changeMedia(session, part.key, id, { saved });
};

/** An earlier version arrived, and differs from this one in what no edit changes. */
class ArrivedBefore extends Error {}

/** Begins anew with the next attempt: the server has said what became of this one. */
const settleAttempt = (session: Session): void =>
  changePart(session, session.draft.peek().parts[0]!.key, () => ({ attempt: undefined }));

/** Whether the posts can be edited into those of the draft. */
const canBecome = (draft: Draft, statuses: readonly Status[]): boolean =>
  draft.scheduledAt === "" &&
  draft.parts.length === statuses.length &&
  draft.inReplyTo === statuses[0]!.in_reply_to_id &&
  draft.quoted === quotedId(statuses[0]!) &&
  statuses.every((status) => visibilityOf(status) === draft.visibility);

/**
 * Makes what the server has of an earlier version the present one; what it made of this version stays as it is. Throws
 * ArrivedBefore.
 */
const catchUp = async (
  session: Session,
  answer: Status[] | ScheduledStatus,
): Promise<Status[] | ScheduledStatus> => {
  const { send } = session.app;
  const draft = session.draft.peek();
  if (!Array.isArray(answer)) {
    await send("DELETE", `/api/v1/scheduled_statuses/${answer.id}`);
    settleAttempt(session);
    return post(session);
  }
  if (!canBecome(draft, answer)) {
    settleAttempt(session);
    throw new ArrivedBefore("an earlier version arrived");
  }
  const edited: Status[] = [];
  for (const [index, { id }] of answer.entries()) {
    const body = editBodyOf(draft, draft.parts[index]!);
    edited.push((await send<Status>("PUT", `/api/v1/statuses/${id}`, { body })).body);
  }
  return edited;
};

const post = async (session: Session): Promise<Status[] | ScheduledStatus> => {
  for (const part of session.draft.peek().parts)
    for (const media of part.media) await saveMedia(session, part, media);
  const draft = session.draft.peek();
  const { path, body } = postOf(draft);
  const { key, attempt } = withAttempt(draft.parts[0]!, body);
  changePart(session, key, () => ({ attempt }));
  // What was sent and its key must be stored even if the window closes now.
  saveDrafts();
  const headers = { "idempotency-key": attempt.key };
  const { send } = session.app;
  type Answer = Status | Status[] | ScheduledStatus;
  const { body: answer } = await send<Answer>("POST", path, { body, headers });
  const made = "account" in answer ? [answer] : answer;
  return attempt.isOther ? catchUp(session, made) : made;
};

/** Says whose moderators decide about a post before the group shares it. */
const tellWhereHeld = async ({ app }: Session, status: Status): Promise<void> => {
  const groups = await loadInGroups(app, status);
  const held = groups.find(({ state }) => state === "held");
  if (held) say(app.t("groups.post_held", { name: shownName(held.group) }));
};

const postAll = async (session: Session): Promise<Outcome> => {
  const answer = await post(session);
  if (!Array.isArray(answer)) return { id: answer.id, scheduledAt: answer.scheduled_at };
  for (const status of answer) {
    showPosted(session.app.store, status);
    void tellWhereHeld(session, status).catch(() => {});
  }
  return { id: answer[0]!.id, scheduledAt: null };
};

const saveEdit = async (session: Session, id: string): Promise<Outcome> => {
  const { send, store } = session.app;
  const draft = session.draft.peek();
  const body = editBodyOf(draft, draft.parts[0]!);
  keepStatus(store, (await send<Status>("PUT", `/api/v1/statuses/${id}`, { body })).body);
  return { id, scheduledAt: null };
};

const troubleOf = ({ app, draft }: Session, error: unknown): Trouble => {
  const { t } = app;
  if (error instanceof ArrivedBefore) return { text: t("compose.arrived") };
  if (!(error instanceof ApiError)) return { text: t("compose.signed_out"), isSession: true };
  if (error.status === 429) return { text: t("compose.too_many") };
  if (error.status >= 500) return { text: t("compose.unavailable") };
  const fault = wordsFor(app.t, error);
  const isOfThread = error.index !== undefined && draft.peek().parts.length > 1;
  return { text: isOfThread ? t("compose.in_post", { number: error.index! + 1, fault }) : fault };
};

const tellOutcome = (
  { app: { t, locale }, draft }: Session,
  { scheduledAt, isHeld }: Outcome,
): void => {
  if (isHeld) return say(t("compose.held"));
  if (scheduledAt) {
    return say(t("compose.scheduled", { time: moment(locale, scheduledAt) }));
  }
  say(t(draft.peek().purpose.kind === "edit" ? "compose.saved" : "compose.posted"));
};

/** Returns the outcome of a post that waits for a moderator: it is no failure, and is not sent again. */
const heldOutcome = (error: unknown): Outcome => {
  if (error instanceof ApiError && error.isHeld) return { id: "", scheduledAt: null, isHeld: true };
  throw error;
};

/** Whether the answer did not arrive, whatever became of the request. */
const isAway = (error: unknown): boolean =>
  ![ApiError, SessionEnded, ArrivedBefore].some((known) => error instanceof known);

/** Whether the same may be accepted later. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 429 || error.status >= 500;

/** Keeps what could not be sent until it can be, apart from what is written next. */
const keepWaiting = (session: Session): void => {
  const { isWaiting, purpose } = session.draft.peek();
  if (!isWaiting) say(session.app.t("compose.offline"));
  change(session, () => ({ isWaiting: true }));
  if (purpose.kind === "edit" || purpose.kind === "draft") saveDrafts();
  else setAside(session);
  session.outcome.value = { id: "", scheduledAt: null, isWaiting: true };
};

/** Sends a draft. The result is its `outcome`; `trouble` explains what was refused. */
export const sendDraft = async (session: Session): Promise<void> => {
  const { purpose, isWaiting } = session.draft.peek();
  session.trouble.value = null;
  session.outcome.value = null;
  session.isSending.value = true;
  try {
    const isEdit = purpose.kind === "edit";
    const sent = isEdit ? saveEdit(session, purpose.id) : postAll(session);
    const outcome = await sent.catch(heldOutcome);
    endSession(session);
    tellOutcome(session, outcome);
    session.outcome.value = outcome;
  } catch (error) {
    if (isAway(error) || (isWaiting && isPassing(error))) return keepWaiting(session);
    change(session, () => ({ isWaiting: false }));
    if (error instanceof ApiError && !isPassing(error)) settleAttempt(session);
    saveDrafts();
    session.trouble.value = troubleOf(session, error);
  } finally {
    session.isSending.value = false;
  }
};
