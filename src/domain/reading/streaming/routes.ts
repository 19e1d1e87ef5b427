// Serves the streams as text/event-stream. https://docs.joinmastodon.org/methods/streaming/

import type { FastifyReply, FastifyRequest } from "fastify";
import { BadRequest } from "../../../platform/errors.ts";
import { bearerToken } from "../../../platform/http/auth.ts";
import { withoutHead } from "../../../platform/http/incoming.ts";
import type { Server } from "../../../platform/http/server.ts";
import { toBoolean } from "../../../platform/http/validate.ts";
import { sseFrame } from "./frames.ts";
import type { Hub } from "./hub.ts";
import { resolveStream } from "./names.ts";
import { proveOwnList } from "./own-lists.ts";
import type { Session, Sink } from "./session.ts";

const PATHS: Record<string, string> = {
  "/api/v1/streaming/user": "user",
  "/api/v1/streaming/user/notification": "user:notification",
  "/api/v1/streaming/public": "public",
  "/api/v1/streaming/public/local": "public:local",
  "/api/v1/streaming/public/remote": "public:remote",
  "/api/v1/streaming/hashtag": "hashtag",
  "/api/v1/streaming/hashtag/local": "hashtag:local",
  "/api/v1/streaming/list": "list",
  "/api/v1/streaming/direct": "direct",
};

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "private, no-store",
  // Without this header nginx holds events back until its buffer is full.
  "x-accel-buffering": "no",
};

/** Milliseconds after which clients reconnect; they differ, so that not all come at once. */
const RETRY_MS = { least: 500, most: 3000 };

const retryFrame = (): string => {
  const { least, most } = RETRY_MS;
  return `retry: ${Math.round(least + (most - least) * Math.random())}\n\n`;
};

const sinkOf = (hub: Hub, { raw }: FastifyReply, session: Session): Sink => ({
  send(_label, event) {
    if (raw.writableLength > hub.limits.maxBuffered) session.end("slow");
    else raw.write(sseFrame(event));
  },
  end(reason) {
    if (reason === "slow") return void raw.destroy();
    raw.end(reason === "stopping" ? retryFrame() : undefined);
  },
});

/** Takes the response over from fastify, with the headers that its hooks have set. */
const begin = (reply: FastifyReply): void => {
  reply.headers(HEADERS);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.flushHeaders();
};

const streamName = (request: FastifyRequest, stream: string): string => {
  const { only_media: onlyMedia } = request.query as Record<string, unknown>;
  const media =
    stream.startsWith("public") && onlyMedia !== undefined && toBoolean(String(onlyMedia));
  return media ? `${stream}:media` : stream;
};

const serve = async (hub: Hub, request: FastifyRequest, reply: FastifyReply, stream: string) => {
  const listening = await hub.identify(bearerToken(request));
  const params = { ...(request.query as object), stream: streamName(request, stream) };
  const subscription = resolveStream(listening, params);
  const session = hub.open(listening);
  session.subscribe(subscription);
  try {
    await proveOwnList(hub.app, listening, subscription);
    await session.inForce();
  } catch (error) {
    hub.drop(session);
    throw error;
  }
  begin(reply);
  // The client may have disconnected while the token was looked up.
  if (reply.raw.destroyed) return hub.drop(session);
  const thump = setInterval(() => reply.raw.write(":thump\n"), hub.limits.thumpSeconds * 1000);
  reply.raw.on("error", () => reply.raw.destroy());
  reply.raw.on("close", () => {
    clearInterval(thump);
    hub.drop(session);
  });
  session.begin(sinkOf(hub, reply, session));
};

export const streamingRoutes = (server: Server, hub: Hub): void => {
  server.get("/api/v1/streaming/health", async (_request, reply) =>
    reply.type("text/plain").send("OK"),
  );

  for (const [path, stream] of Object.entries(PATHS)) {
    server.get(path, withoutHead, (request, reply) => serve(hub, request, reply, stream));
  }

  server.get("/api/v1/streaming/*", withoutHead, async (request) => {
    await hub.identify(bearerToken(request));
    throw new BadRequest("Unknown stream type");
  });
};
