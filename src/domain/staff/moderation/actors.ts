// Returns as whom somebody of the staff acts: their account, with what their role allows at this moment.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { viewerOf } from "../../../platform/http/auth.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { requireMay } from "../../base/roles/acts.ts";
import type { Act } from "../../base/roles/acts.ts";
import { effectiveBits } from "../../base/roles/permissions.ts";
import type { Actor } from "../../base/roles/permissions.ts";

/** Returns the actor of an account, by the role that the person has now. */
export const actorOf = async (app: App, accountId: string): Promise<Actor> => {
  const { role } = await getAccount(app, accountId);
  return {
    accountId,
    permissions: effectiveBits(role?.permissions ?? 0),
    position: role?.position ?? -1,
  };
};

export const requestActor = (app: App, request: FastifyRequest): Promise<Actor> =>
  actorOf(app, viewerOf(request).accountId);

/** Returns the actor of a request if they may do this; else throws Forbidden. */
export const requireActor = async (app: App, request: FastifyRequest, act: Act): Promise<Actor> => {
  const actor = await requestActor(app, request);
  requireMay(actor, act);
  return actor;
};
