// Addresses of local actors: `/users/NAME`, or `/ap/users/ID` for those created by Mastodon 4.5 or newer
// (docs/design/moving.md). The stored address is the actor's own; both are served.

import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { Server } from "../platform/http/server.ts";

/** An actor as its path names it, by one of the two. */
export type ActorName = { username?: string | undefined; actorId?: string | undefined };

const BASES = ["/users/:username", "/ap/users/:actorId"];

/** Returns the paths of an actor, or of what belongs to it. */
export const actorPaths = (rest = ""): string[] => BASES.map((base) => base + rest);

type ActorRequest<P> = FastifyRequest<{ Params: ActorName & P }>;

/** Registers a GET route of what belongs to an actor, at both addresses. */
export const getOfActor = <P = unknown>(
  server: Server,
  rest: string,
  options: RouteShorthandOptions,
  handler: (request: ActorRequest<P>, reply: FastifyReply) => Promise<FastifyReply>,
): void => {
  for (const path of actorPaths(rest))
    server.get<{ Params: ActorName & P }>(path, options, handler as never);
};

const PATH = /^\/(?:@([^/@]+)|users\/([^/@]+)|ap\/users\/(\d{1,18}))(\/.*)?$/;

/** Returns the actor that a path on this server names, and the rest of the path; null if it names none. */
export const actorNameIn = (path: string): { name: ActorName; rest: string } | null => {
  const [whole, ofPage, ofDocument, actorId, rest = ""] = PATH.exec(path) ?? [];
  if (whole === undefined) return null;
  return { name: actorId ? { actorId } : { username: ofPage ?? ofDocument }, rest };
};

/** Matches what follows the address of an actor: nothing, or a post. */
const POST_PATH = /^(?:\/(?:statuses\/)?(\d{1,19}))?(?:\/activity)?\/?$/;

/** Returns the actor, and the post if there is one, that a path on this server names; null if it names none. */
export const actorOrPostIn = (
  path: string,
): { name: ActorName; number: string | undefined } | null => {
  const named = actorNameIn(path);
  const [whole, number] = POST_PATH.exec(named?.rest ?? "-") ?? [];
  return named && whole !== undefined ? { name: named.name, number } : null;
};

const NAME = /^[a-z0-9_]{1,30}$/i;
const ID = /^\d{1,18}$/;

export const isActorName = ({ username, actorId }: ActorName): boolean =>
  actorId === undefined ? NAME.test(username ?? "") : ID.test(actorId);
