// Reads the replies to a remote post from its server when somebody here opens its thread. The author's replies to
// themselves come first, and their replies are read in turn. Then come other posts of the conversation, where it is a
// collection (FEP-7888): these may be on any server, so each is read from its own and has to say that it belongs there.

import type { App } from "../platform/app.ts";
import { httpUrl, idOf, idsOf, isRecord } from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { countRefresh, finishRefresh } from "../domain/base/refreshes/refreshes.ts";
import { setRemoteCounts } from "../domain/posts/statuses/upkeep.ts";
import { threadSubject } from "../domain/posts/statuses/context.ts";
import { authorUris, countsIn } from "../domain/posts/statuses/parse-note.ts";
import { readCollection } from "./collections.ts";
import { fetchDocument } from "./documents.ts";
import { nullOnAnyFault } from "./faults.ts";
import { isLocalUri } from "./hosts.ts";
import { statusByUri } from "./notes.ts";
import { selectRemotePost, selectStatusId } from "./queries.ts";

/** Posts of a thread that are stored, and posts whose replies are read. */
const MAX_REPLIES = 60;
const MAX_READ = 12;
const READ = { cause: "thread", maxItems: 200, maxPages: 5 } as const;

type Reading = { authorUri: string; seen: Set<string>; stored: number };

const documentOf = async (app: App, uri: string): Promise<Json | null> =>
  (await nullOnAnyFault(fetchDocument(app, uri, { cause: "thread" })))?.document ?? null;

/** Returns the addresses of the replies, the author's own first. */
const repliesOf = async (app: App, uri: string, document: Json, { authorUri }: Reading) => {
  const replies = await nullOnAnyFault(readCollection(app, document["replies"], uri, READ));
  const items = replies?.items ?? [];
  const isOwn = (item: unknown): boolean => {
    const id = idOf(item) ?? "";
    if (id.startsWith(`${authorUri}/`)) return true;
    return isRecord(item) && authorUris(item).includes(authorUri);
  };
  const sorted = [...items.filter(isOwn), ...items.filter((item) => !isOwn(item))];
  return sorted.flatMap((item) => httpUrl(idOf(item)) ?? []);
};

/** Stores unknown replies; returns the addresses whose replies are read next, the author's own first. */
const storeReplies = async (
  app: App,
  uris: string[],
  reading: Reading,
  listedBy: string,
): Promise<string[]> => {
  const own: string[] = [];
  const others: string[] = [];
  for (const uri of uris) {
    if (reading.seen.has(uri) || isLocalUri(app, uri) || reading.stored >= MAX_REPLIES) continue;
    reading.seen.add(uri);
    const isKnown = (await selectStatusId(app.sql, uri)) !== null;
    const id = await nullOnAnyFault(
      statusByUri(app, uri, { cause: "thread", quiet: true, listedBy }),
    );
    if (id === null) continue;
    if (!isKnown) reading.stored += 1;
    const post = await selectRemotePost(app.sql, id);
    if (post) (post.author_uri === reading.authorUri ? own : others).push(post.uri);
  }
  return [...own, ...others];
};

/** Stores unknown posts of the conversation, within the limits of the thread. */
const readContext = async (app: App, context: string, reading: Reading): Promise<void> => {
  if (isLocalUri(app, context)) return;
  const conversation = await nullOnAnyFault(readCollection(app, context, context, READ));
  for (const uri of idsOf(conversation?.items ?? [], READ.maxItems)) {
    if (reading.stored >= MAX_REPLIES) return;
    const url = httpUrl(uri);
    if (!url || reading.seen.has(url) || isLocalUri(app, url)) continue;
    reading.seen.add(url);
    if ((await selectStatusId(app.sql, url)) !== null) continue;
    const options = { cause: "thread", quiet: true, context } as const;
    if ((await nullOnAnyFault(statusByUri(app, url, options))) !== null) reading.stored += 1;
  }
};

const readThread = async (app: App, statusId: string, uri: string, authorUri: string) => {
  const reading: Reading = { authorUri, seen: new Set([uri]), stored: 0 };
  const queue = [uri];
  let context: string | null = null;
  for (let read = 0; queue.length > 0 && read < MAX_READ; read++) {
    const next = queue.shift()!;
    const document = await documentOf(app, next);
    if (!document) continue;
    if (next === uri) context = httpUrl(idOf(document["context"]));
    const id = await selectStatusId(app.sql, next);
    if (id !== null) await setRemoteCounts(app, id, countsIn(document));
    const replies = await repliesOf(app, next, document, reading);
    queue.push(...(await storeReplies(app, replies, reading, next)));
    await countRefresh(app, threadSubject(statusId), reading.stored);
  }
  if (context === null) return;
  await readContext(app, context, reading);
  await countRefresh(app, threadSubject(statusId), reading.stored);
};

/** Handles the job `thread.wanted`. */
export const fillThread = async (
  app: App,
  { statusId }: JobPayloads["thread.wanted"],
): Promise<void> => {
  try {
    const post = await selectRemotePost(app.sql, statusId);
    if (post) await readThread(app, statusId, post.uri, post.author_uri);
  } finally {
    await finishRefresh(app, threadSubject(statusId));
  }
};
