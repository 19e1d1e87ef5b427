// Stores a post of an archive for its new account, with its date, without notifications or deliveries.

import { link, rm, stat } from "node:fs/promises";
import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { App } from "../../../../platform/app.ts";
import { Unprocessable, isRefusal } from "../../../../platform/errors.ts";
import { UploadedFile } from "../../../../platform/http/uploaded-file.ts";
import { uploadFolder } from "../../../../platform/storage/uploads.ts";
import { plainText } from "../../../../platform/text/plain.ts";
import { NOBODY } from "../../../../platform/viewer.ts";
import { loadByUris } from "../../../people/accounts/load.ts";
import { fetchTo, TemporarilyUnavailable } from "../../../base/media/remote/fetch.ts";
import { acceptUpload, waitForUpload } from "../../../base/media/upload.ts";
import type { NewEvent } from "../../../posts/events/tables.ts";
import type { NewPoll } from "../../../posts/polls/tables.ts";
import { MAX_PEOPLE } from "../../../posts/statuses/circle.ts";
import { createStatuses } from "../../../posts/statuses/create.ts";
import { ROW_ONLY } from "../../../posts/statuses/new-status.ts";
import type { NewStatus } from "../../../posts/statuses/new-status.ts";
import { loadVisible } from "../../../posts/statuses/load.ts";
import { isCircle, openToFollowers } from "../../../posts/statuses/visibility.ts";
import { NotFoundYet } from "../faults.ts";
import { insertImported, selectImported } from "../queries.ts";
import type { ArchivedFile, ArchivedPost } from "./read-post.ts";
import { folderOf } from "./unpack.ts";

/** Milliseconds of waiting for a file: a video can take minutes, and waits for others. */
const WAIT_MS = 600_000;

export const hashOf = (uri: string): Buffer => createHash("sha256").update(uri).digest();

/** Returns false where it is not in the archive. */
const linkTo = async (source: string, path: string): Promise<boolean> => {
  try {
    await link(source, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
};

/** Throws NotFoundYet where its server cannot send it now, since a picture without its file would be useless. */
const fetchFrom = async (app: App, url: string, path: string): Promise<boolean> => {
  try {
    return await fetchTo(app, url, path);
  } catch (error) {
    await rm(path, { force: true });
    throw error instanceof TemporarilyUnavailable ? new NotFoundYet("import.file_unknown") : error;
  }
};

/** Processes the files like all uploads; one that cannot be processed is left out. */
const attach = async (
  app: App,
  importId: string,
  accountId: string,
  { name = "", url, description, focus }: ArchivedFile,
): Promise<{ id: string; isPicture: boolean } | null> => {
  const path = join(uploadFolder(app.config.dataDir), randomUUID());
  const isThere =
    url === undefined
      ? await linkTo(join(folderOf(app, importId), name), path)
      : await fetchFrom(app, url, path);
  if (!isThere) {
    await rm(path, { force: true });
    return null;
  }
  try {
    const file = new UploadedFile(name, "", path, (await stat(path)).size);
    const upload = await acceptUpload(app, accountId, { file, description, focus });
    // In a bucket there is another copy.
    if (!file.isKept) await rm(path, { force: true });
    const { type } = await waitForUpload(app, accountId, upload.id, WAIT_MS);
    return { id: upload.id, isPicture: type === "image" };
  } catch (error) {
    await rm(path, { force: true });
    if (isRefusal(error)) return null;
    throw error;
  }
};

/** Attaches pictures, or one file of another kind. */
export const attachAll = async (
  app: App,
  importId: string,
  accountId: string,
  files: ArchivedFile[],
): Promise<string[]> => {
  const ids: string[] = [];
  for (const file of files) {
    const attachment = await attach(app, importId, accountId, file);
    if (attachment?.isPicture === false) return [attachment.id];
    if (attachment) ids.push(attachment.id);
  }
  return ids;
};

type Parent = { id: string; accountId: string; conversationId: string | null };

/** Returns the parent: a post that was imported before, or one that is known here and open to everybody. */
const findParent = async (
  app: App,
  accountId: string,
  uri: string | null,
): Promise<Parent | null> => {
  if (uri === null) return null;
  const own = await selectImported(app.sql, accountId, hashOf(uri));
  const parent = own === null ? await app.remote.address(uri, false) : { kind: "status", id: own };
  if (parent?.kind !== "status") return null;
  const viewer = own === null ? NOBODY : ({ kind: "person", id: accountId } as const);
  const [view] = await loadVisible(app, [parent.id], viewer);
  return view
    ? { id: view.id, accountId: view.account_id, conversationId: view.conversation_id }
    : null;
};

/** Ends the poll, since nobody can vote any more. */
const endedPoll = ({ poll }: ArchivedPost, now: Date): NewPoll | null => {
  if (!poll) return null;
  const end = poll.expiresAt === null ? now : new Date(poll.expiresAt);
  return { ...poll, expiresAt: end < now ? end : now };
};

const eventOf = ({ event }: ArchivedPost): NewEvent | null =>
  event
    ? {
        ...event,
        startsAt: new Date(event.startsAt),
        endsAt: event.endsAt === null ? null : new Date(event.endsAt),
      }
    : null;

const isEmpty = ({ poll, event, content, spoilerText }: ArchivedPost): boolean =>
  !poll && !event && plainText(content) === "" && spoilerText === "";

const newStatus = (
  app: App,
  accountId: string,
  post: ArchivedPost,
  { parent, ids, circle }: { parent: Parent | null; ids: string[]; circle: string[] },
): NewStatus => {
  const now = app.clock.now();
  return {
    ...ROW_ONLY,
    row: {
      account_id: accountId,
      local: true,
      text: post.source?.text ?? plainText(post.content),
      content_type: post.source?.contentType ?? null,
      content: post.content,
      spoiler_text: post.spoilerText,
      visibility: post.visibility,
      sensitive: post.sensitive,
      language: post.language,
      in_reply_to_id: parent?.id ?? null,
      in_reply_to_account_id: parent?.accountId ?? null,
      conversation_id: parent?.conversationId ?? null,
      created_at: new Date(post.createdAt!),
      awaits_approval: false,
      edited_at: post.updatedAt === null ? null : new Date(post.updatedAt),
      expires_at: post.expiresAt ? new Date(post.expiresAt) : null,
      // Its lists are those of the old server.
      circle_lists: isCircle(post) && parent === null ? [] : null,
    },
    mentions: circle.map((id) => ({ accountId: id, silent: true })),
    tags: post.tags,
    uploads: ids.length > 0 ? { ids } : null,
    poll: ids.length > 0 ? null : endedPoll(post, now),
    event: eventOf(post),
    quiet: true,
  };
};

/** Returns the people of a circle that can be found; the number of people that an archive names is bounded. */
const peopleOf = async (app: App, accountId: string, { circle = [] }: ArchivedPost) => {
  const uris = circle.slice(0, MAX_PEOPLE);
  const known = await loadByUris(app, uris);
  const ids = new Set([...known.values()].map(({ id }) => id));
  for (const uri of uris.filter((each) => !known.has(each))) {
    const target = await app.remote.address(uri);
    if (target?.kind === "account") ids.add(target.id);
  }
  ids.delete(accountId);
  return [...ids];
};

const check = (post: ArchivedPost): void => {
  if (!openToFollowers(post) && !isCircle(post)) {
    throw new Unprocessable(
      "Private mentions are not imported: the people they were for could not see them here.",
    );
  }
  if (post.createdAt === null) throw new Unprocessable("The post has no date in the past.");
};

/** Returns the status, also of one that was imported before. Throws Unprocessable with the reason. */
export const applyPost = async (
  app: App,
  importId: string,
  accountId: string,
  post: ArchivedPost,
): Promise<string> => {
  const hash = hashOf(post.uri);
  const before = await selectImported(app.sql, accountId, hash);
  if (before !== null) return before;
  check(post);
  const parent = await findParent(app, accountId, post.inReplyToUri);
  const ids = await attachAll(app, importId, accountId, post.files);
  if (ids.length === 0 && isEmpty(post)) {
    throw new Unprocessable("There is no text, and its files cannot be read.");
  }
  const circle = await peopleOf(app, accountId, post);
  return app.sql.begin(async (tx) => {
    const [status] = await createStatuses(app, tx, [
      newStatus(app, accountId, post, { parent, ids, circle }),
    ]);
    await insertImported(tx, accountId, hash, status!.id);
    return status!.id;
  });
};
