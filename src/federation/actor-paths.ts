// Addresses of local actors: `/users/NAME`, or `/ap/users/ID` of those that a Mastodon of 4.5 or newer made
// (docs/design/moving.md). An actor's own is the one that is stored; both are answered.

import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { Server } from "../platform/http/server.ts";

/** As such a path names an actor; one of the two. */
export type ActorName = { username?: string | undefined; actorId?: string | undefined };

const BASES = ["/users/:username", "/ap/users/:actorId"];

/** The paths of what belongs to an actor, or of the actor itself. */
export const actorPaths = (rest = ""): string[] => BASES.map((base) => base + rest);

type ActorRequest<P> = FastifyRequest<{ Params: ActorName & P }>;

/** GET of what belongs to an actor, at both addresses. */
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

/** How the path of an address on this server names an actor, and what follows; null: it names none. */
export const actorNameIn = (path: string): { name: ActorName; rest: string } | null => {
  const [whole, ofPage, ofDocument, actorId, rest = ""] = PATH.exec(path) ?? [];
  if (whole === undefined) return null;
  return { name: actorId ? { actorId } : { username: ofPage ?? ofDocument }, rest };
};

/** What follows the address of an actor: nothing, or a post. */
const POST_PATH = /^(?:\/(?:statuses\/)?(\d{1,19}))?(?:\/activity)?\/?$/;

/** The actor that the path of an address or page on this server names, and its post; null: it names none. */
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
