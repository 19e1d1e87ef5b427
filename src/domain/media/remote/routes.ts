// Files of other servers at /media/remote/…: fetched when somebody looks at them, once however many look, and
// kept for the next. Nobody's address is shown to those servers, and they cannot run anything here.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { NotFound, Unavailable } from "../../../platform/errors.ts";
import { isHostDown } from "../../../platform/fetch/host-breaker.ts";
import { sendFile } from "../../../platform/http/media.ts";
import { pathId } from "../../../platform/http/path-id.ts";
import { UNCOUNTED } from "../../../platform/http/request-rates.ts";
import { Type } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import {
  EMOJI_KINDS,
  readEmojiUrl,
  REMOTE_KINDS,
  remoteTag,
  staffTag,
} from "../../../platform/storage/remote-url.ts";
import type { RemoteKind } from "../../../platform/storage/remote-url.ts";
import { mediaRejectedAmong } from "../../blocklists/domains.ts";
import { fetchCopy, hashOf } from "./fetch.ts";
import type { Wanted } from "./fetch.ts";
import { selectRemote, useCopy } from "./queries.ts";
import type { ShownFile } from "./queries.ts";

const Params = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  tag: Type.String(),
});

/** At a time, in all and from one host; more are told to come again. */
const MOST = 40;
const MOST_OF_HOST = 6;

type Flight = { host: string; done: Promise<string | null> };

const flights = perApp("remote files being fetched", () => {
  const all = new Map<string, Flight>();
  return { all, entries: () => all.size };
});

/** One request for a file, however many people look at it. */
const fetchOnce = (app: App, wanted: Wanted): Promise<string | null> => {
  const { all } = flights(app);
  const id = hashOf(wanted).toString("hex");
  const flying = all.get(id);
  if (flying) return flying.done;
  const { host } = new URL(wanted.file.url);
  const ofHost = [...all.values()].filter((one) => one.host === host).length;
  if (all.size >= MOST || ofHost >= MOST_OF_HOST) {
    throw new Unavailable("Too many files are being fetched. Please try again", 5);
  }
  const done = fetchCopy(app, wanted).finally(() => all.delete(id));
  all.set(id, { host, done });
  return done;
};

const tagOf = ({ config }: App, { url, isSuspended }: ShownFile): string =>
  isSuspended ? staffTag(config.site, url) : remoteTag(url);

const REJECTED = "Media of its server are not shown here";

const findWanted = async (
  app: App,
  { kind, id, tag }: { kind: string; id: string; tag: string },
): Promise<Wanted> => {
  const emoji = EMOJI_KINDS.find((one) => one === kind);
  if (emoji) {
    const url = readEmojiUrl(app.config, id, tag);
    if (url === null) throw new NotFound();
    return { kind: emoji, file: { url, type: "image" } };
  }
  const known = REMOTE_KINDS.find((one) => one === kind) as RemoteKind | undefined;
  const file = known && (await selectRemote(app.sql, known, pathId(id)));
  if (!known || !file || tagOf(app, file) !== tag || !URL.canParse(file.url)) {
    throw new NotFound();
  }
  // Emojis of such servers are left out of what is shown already.
  if ((await mediaRejectedAmong(app, [file.domain])).size > 0) throw new NotFound(REJECTED);
  return { kind: known, file };
};

const keyOf = async (app: App, wanted: Wanted): Promise<string | null> => {
  const now = app.clock.now();
  const copy = await useCopy(app.sql, hashOf(wanted), now);
  if (copy?.key && (await app.storage.stat(copy.key))) return copy.key;
  if (copy?.retry_at && copy.retry_at > now) return null;
  if (await isHostDown(app, wanted.file.url)) return null;
  return fetchOnce(app, wanted);
};

const answer = async (
  app: App,
  request: FastifyRequest<{ Params: { kind: string; id: string; tag: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const key = await keyOf(app, await findWanted(app, request.params));
  if (key !== null) return sendFile(app, request, reply, key);
  // Clients show the blurhash instead, and ask again later.
  reply.header("cache-control", "public, max-age=60");
  throw new NotFound("The file cannot be fetched from its server at the moment");
};

export const remoteMediaRoutes = (server: Server, app: App): void => {
  const path = "/media/remote/:kind/:id/:tag";
  const options = { ...UNCOUNTED, schema: { params: Params } };
  server.get(path, { ...options, exposeHeadRoute: false }, (request, reply) =>
    answer(app, request, reply),
  );
  server.head(path, options, (request, reply) => answer(app, request, reply));
};
