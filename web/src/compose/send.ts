// Posts a draft: its parts one after another, each with a key of its own, so that what was sent before a failure is
// not sent twice. Whatever fails, the draft stays.

import type { ScheduledStatus, Status } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { SessionEnded } from "../api/session.ts";
import { posted } from "../acts/posted.ts";
import { say } from "../browser/messages.ts";
import { keepStatus } from "../store/store.ts";
import { bodyOf, editBodyOf, savedForm, withAttempt } from "./draft.ts";
import type { DraftMedia, Part } from "./draft.ts";
import { change, changeMedia, changePart, endSession, saveDrafts } from "./session.ts";
import type { Session, Trouble } from "./session.ts";

/** What became of it; `scheduledAt`: it will be posted then. */
export type Outcome = { id: string; scheduledAt: string | null };

const saveMedia = async (session: Session, part: Part, media: DraftMedia): Promise<void> => {
  const { id, description, focus } = media;
  const saved = savedForm(media);
  if (saved === media.saved) return;
  const body = { description, focus: `${focus.x},${focus.y}` };
  await session.app.send("PUT", `/api/v1/media/${id}`, { body });
  changeMedia(session, part.key, id, { saved });
};

const currentPart = (session: Session, key: string): Part =>
  session.draft.peek().parts.find((part) => part.key === key)!;

const postPart = async (session: Session, key: string, parentId: string | null) => {
  const { send } = session.app;
  const part = currentPart(session, key);
  for (const media of part.media) await saveMedia(session, part, media);
  const body = bodyOf(session.draft.peek(), part, parentId);
  const { attempt } = withAttempt(part, body);
  changePart(session, key, () => ({ attempt }));
  // What was sent and under which key has to be known even if the window closes now.
  saveDrafts();
  const headers = { "idempotency-key": attempt.key };
  const { body: answer } = await send<Status | ScheduledStatus>("POST", "/api/v1/statuses", {
    body,
    headers,
  });
  return answer;
};

const postParts = async (session: Session): Promise<Outcome> => {
  const { store } = session.app;
  let parentId = session.draft.peek().inReplyTo;
  let first: string | null = null;
  for (const { key } of session.draft.peek().parts) {
    const { sentId } = currentPart(session, key);
    if (sentId === undefined) {
      const answer = await postPart(session, key, parentId);
      if (!("account" in answer)) return { id: answer.id, scheduledAt: answer.scheduled_at };
      keepStatus(store, answer);
      changePart(session, key, () => ({ sentId: answer.id }));
      posted.value = { id: answer.id, parentId };
      parentId = answer.id;
    } else parentId = sentId;
    first ??= parentId;
  }
  return { id: first!, scheduledAt: null };
};

const saveEdit = async (session: Session, id: string): Promise<Outcome> => {
  const { send, store } = session.app;
  const draft = session.draft.peek();
  const body = editBodyOf(draft, draft.parts[0]!);
  keepStatus(store, (await send<Status>("PUT", `/api/v1/statuses/${id}`, { body })).body);
  return { id, scheduledAt: null };
};

const troubleOf = ({ app: { t } }: Session, error: unknown): Trouble => {
  if (error instanceof SessionEnded) return { text: t("compose.signed_out"), isSession: true };
  if (!(error instanceof ApiError)) return { text: t("compose.offline") };
  if (error.status === 429) return { text: t("compose.too_many") };
  if (error.status >= 500) return { text: t("compose.unavailable") };
  return { text: error.message.replace(/^Validation failed: /, "") };
};

const tellOutcome = ({ app: { t, locale }, draft }: Session, { scheduledAt }: Outcome): void => {
  if (scheduledAt) {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
    return say(t("compose.scheduled", { time: format.format(new Date(scheduledAt)) }));
  }
  say(t(draft.peek().purpose.kind === "edit" ? "compose.saved" : "compose.posted"));
};

/** The answer did not come, whatever became of the request. */
const isAway = (error: unknown): boolean =>
  !(error instanceof ApiError) && !(error instanceof SessionEnded);

/** What became of it is its `outcome`; what was refused or did not arrive is explained by `trouble`. */
export const sendDraft = async (session: Session): Promise<void> => {
  const { purpose } = session.draft.peek();
  session.trouble.value = null;
  session.isSending.value = true;
  try {
    const isEdit = purpose.kind === "edit";
    const outcome = isEdit ? await saveEdit(session, purpose.id) : await postParts(session);
    endSession(session);
    tellOutcome(session, outcome);
    session.outcome.value = outcome;
  } catch (error) {
    change(session, () => ({ isWaiting: isAway(error) }));
    saveDrafts();
    session.trouble.value = troubleOf(session, error);
  } finally {
    session.isSending.value = false;
  }
};
