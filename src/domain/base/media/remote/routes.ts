// Serves files of other servers at /media/remote/…: fetched when somebody looks at them, once for all who look, and
// kept for the next, or passed on. Those servers learn nobody's address and cannot run anything here.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { NotFound, orNotFound } from "../../../../platform/errors.ts";
import { isHostDown } from "../../../../platform/fetch/host-breaker.ts";
import { sendFile } from "../../../../platform/http/media.ts";
import { pathId } from "../../../../platform/http/incoming.ts";
import { UNCOUNTED } from "../../../../platform/http/request-rates.ts";
import { Type } from "../../../../platform/http/schema.ts";
import type { Server } from "../../../../platform/http/server.ts";
import {
  EMOJI_KINDS,
  readEmojiUrl,
  REMOTE_KINDS,
  remoteTag,
  staffTag,
} from "../../../../platform/storage/remote-url.ts";
import type { RemoteKind } from "../../../../platform/storage/remote-url.ts";
import { mediaRejectedAmong } from "../../blocklists/domains.ts";
import { fetchCopy, hashOf } from "./fetch.ts";
import type { CopyRequest } from "./fetch.ts";
import { joinFetch, takeFetchPlace } from "./fetch-limits.ts";
import { transfer } from "./pass-on.ts";
import { selectRemote, useCopy } from "./queries.ts";
import type { ShownFile } from "./queries.ts";

const Params = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  tag: Type.String(),
});

/** Fetches a file once, however many people look at it. */
const fetchOnce = (app: App, copy: CopyRequest): Promise<string | null> =>
  joinFetch(app, hashOf(copy).toString("hex"), async () => {
    const leave = await takeFetchPlace(app, copy.file.url);
    return fetchCopy(app, copy).finally(leave);
  });

const REJECTED = "Media of its server are not shown here";

/** Checks the tag in the address of a hidden file, which only moderators are given. */
const checkTag = async (app: App, file: ShownFile, tag: string): Promise<void> => {
  // Emojis of servers whose media are rejected are left out of posts already.
  const isRejected = (await mediaRejectedAmong(app, [file.domain])).size > 0;
  const isHidden = file.isSuspended || isRejected;
  if (tag === (isHidden ? staffTag(app.config.site, file.url) : remoteTag(file.url))) return;
  throw new NotFound(isRejected && tag === remoteTag(file.url) ? REJECTED : undefined);
};

const findCopy = async (
  app: App,
  { kind, id, tag }: { kind: string; id: string; tag: string },
): Promise<CopyRequest> => {
  const emoji = EMOJI_KINDS.find((emoji) => emoji === kind);
  if (emoji) {
    const url = orNotFound(readEmojiUrl(app.config, id, tag));
    return { kind: emoji, file: { url, type: "image" } };
  }
  const known = REMOTE_KINDS.find((name) => name === kind) as RemoteKind | undefined;
  const file = known && (await selectRemote(app.sql, known, pathId(id)));
  if (!known || !file || !URL.canParse(file.url)) throw new NotFound();
  await checkTag(app, file, tag);
  return { kind: known, file };
};

type Request = FastifyRequest<{ Params: { kind: string; id: string; tag: string } }>;

/**
 * Returns a function that answers, or null where the file is unavailable. It does not return the reply: awaiting that
 * would wait until it is sent.
 */
const answerOf = async (
  app: App,
  request: Request,
  reply: FastifyReply,
  target: CopyRequest,
): Promise<(() => FastifyReply | Promise<FastifyReply>) | null> => {
  const stored = (key: string) => () => sendFile(app, request, reply, key);
  const now = app.clock.now();
  const copy = await useCopy(app.sql, hashOf(target), now);
  if (copy?.key && (await app.storage.stat(copy.key))) return stored(copy.key);
  if (copy?.retry_at && copy.retry_at > now) return null;
  if (await isHostDown(app, target.file.url)) return null;
  if (app.config.media.cacheBytes === 0) return transfer(app, request, reply, target);
  const key = await fetchOnce(app, target);
  return key === null ? null : stored(key);
};

const answer = async (app: App, request: Request, reply: FastifyReply): Promise<FastifyReply> => {
  const copy = await findCopy(app, request.params);
  const send = await answerOf(app, request, reply, copy);
  if (send) return send();
  // Clients show the blurhash instead, and ask again later.
  reply.header("cache-control", "public, max-age=60");
  throw new NotFound("The file cannot be fetched from its server at the moment");
};

export const remoteMediaRoutes = (server: Server, app: App): void => {
  const path = "/media/remote/:kind/:id/:tag";
  const options = { ...UNCOUNTED, schema: { params: Params } };
  server.get(path, options, (request, reply) => answer(app, request, reply));
};
