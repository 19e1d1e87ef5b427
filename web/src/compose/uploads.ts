// Sends files to the server with progress, and waits until it has processed them.

import { newId } from "../api/new-id.ts";
import { ApiError, answerOf } from "../api/get.ts";
import { NoAnswer, readersLanguage } from "../api/request.ts";
import { accessToken, forgetToken } from "../api/session.ts";
import type { MediaAttachment } from "../api/entities.ts";
import { wordsFor } from "../text/fault.ts";
import { draftMedia } from "./blank.ts";
import { changePart } from "./session.ts";
import type { Session, Upload } from "./at-work.ts";

const POLL_MS = 1000;
/** Milliseconds without progress after which an upload has failed; longer than the server takes for a picture. */
const STILL_MS = 30_000;

type Sent = { status: number; text: string };

/** Sends by XMLHttpRequest, because `fetch` does not report upload progress. */
const send = (token: string, file: File, onProgress: (share: number) => void): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v2/media");
    request.setRequestHeader("authorization", `Bearer ${token}`);
    request.setRequestHeader("accept-language", readersLanguage());
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), STILL_MS);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      wait();
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = request.onabort = () => reject(new NoAnswer("no answer"));
    request.onloadend = () => clearTimeout(timer);
    wait();
    const form = new FormData();
    form.set("file", file, file.name);
    request.send(form);
  });

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const untilMade = async (session: Session, media: MediaAttachment): Promise<MediaAttachment> => {
  const { get } = session.app;
  for (;;) {
    const { status, body } = await get<MediaAttachment>(`/api/v1/media/${media.id}`);
    if (status === 200) return body;
    await sleep(POLL_MS);
  }
};

const mark = (session: Session, key: string, more: Partial<Upload>): void => {
  session.uploads.value = session.uploads
    .peek()
    .map((upload) => (upload.key === key ? { ...upload, ...more } : upload));
};

const forget = (session: Session, key: string): void => {
  session.uploads.value = session.uploads.peek().filter((upload) => upload.key !== key);
};

/** Takes it away, and what was said of the files that were there. */
export const dropUpload = (session: Session, key: string): void => {
  session.trouble.value = null;
  forget(session, key);
};

const isWanted = (session: Session, key: string): boolean =>
  session.uploads.peek().some((upload) => upload.key === key);

const run = async (session: Session, { key, partKey, file }: Upload): Promise<void> => {
  const { app } = session;
  const attempt = async () =>
    send(await accessToken(app.formToken), file, (progress) => mark(session, key, { progress }));
  try {
    let sent = await attempt();
    if (sent.status === 401) {
      forgetToken();
      sent = await attempt();
    }
    const answer = answerOf<MediaAttachment>(sent.status, sent.text, null, readersLanguage());
    const media = answer.status === 202 ? await untilMade(session, answer.body) : answer.body;
    if (!isWanted(session, key)) return;
    changePart(session, partKey, (part) => ({
      media: [...part.media, draftMedia(media, file.name)],
    }));
    forget(session, key);
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status < 500;
    const fault = isRefused ? wordsFor(app.t, error) : app.t("compose.upload_failed");
    mark(session, key, { fault, isRefused: isRefused && error.status !== 429 });
  }
};

const isPicture = ({ type }: { type: string }): boolean => type.startsWith("image");

/** Returns why these files cannot be added to the part; null if they can. */
const refusal = (session: Session, partKey: string, files: readonly File[]): string | null => {
  const { app, draft, uploads } = session;
  const part = draft.peek().parts.find(({ key }) => key === partKey)!;
  const sending = uploads
    .peek()
    .filter((upload) => upload.partKey === partKey && upload.fault === null);
  const all = [...part.media, ...sending.map(({ file }) => file), ...files];
  const { media: count } = app.site.limits;
  if (files.some(({ size }) => size === 0)) return app.t("compose.media_empty");
  if (all.length > count) return app.t("compose.media_count", { count });
  return all.length > 1 && !all.every(isPicture) ? app.t("compose.media_mixed") : null;
};

/** Returns whether they can be added; says why they cannot. */
const mayAdd = (session: Session, partKey: string, files: readonly File[]): boolean => {
  const text = refusal(session, partKey, files);
  if (text !== null) session.trouble.value = { text };
  return text === null;
};

export const retryUpload = (session: Session, upload: Upload): void => {
  if (!mayAdd(session, upload.partKey, [upload.file])) return;
  session.trouble.value = null;
  mark(session, upload.key, { progress: 0, fault: null });
  void run(session, upload);
};

/** Uploads files for a part, one after another so that they keep their order. */
export const addFiles = async (
  session: Session,
  partKey: string,
  files: readonly File[],
): Promise<void> => {
  if (files.length === 0 || !mayAdd(session, partKey, files)) return;
  const added = files.map((file) => ({
    key: newId(),
    partKey,
    file,
    progress: 0,
    fault: null,
  }));
  session.uploads.value = [...session.uploads.peek(), ...added];
  for (const upload of added) await run(session, upload);
};
