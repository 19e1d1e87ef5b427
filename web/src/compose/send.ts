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
import type { DraftMedia, Part } from "./draft.ts";
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
  if (Array.isArray(answer)) return answer;
  return "account" in answer ? [answer] : answer;
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
  !(error instanceof ApiError) && !(error instanceof SessionEnded);

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
    saveDrafts();
    session.trouble.value = troubleOf(session, error);
  } finally {
    session.isSending.value = false;
  }
};
