// Serves the documents of local actors and of the server's own.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import {
  AS_CONTEXT,
  actorDocument,
  formerActorDocument,
} from "../../domain/people/accounts/activitypub.ts";
import { getPublicKeys } from "../../domain/people/accounts/load.ts";
import { instanceActor, instanceActorDocument } from "../instance-actor.ts";
import { getOfActor } from "../actor-paths.ts";
import {
  OPEN,
  WITH_PAGE,
  asksForPage,
  localActor,
  redirectToPage,
  sendActivity,
} from "./answer.ts";

export const actorRoutes = (server: Server, app: App): void => {
  getOfActor(server, "", WITH_PAGE, async (request, reply) => {
    const view = await localActor(app, request.params);
    if (asksForPage(request)) return redirectToPage(reply, view.url);
    const keys = await getPublicKeys(app, view.id);
    const { site } = app.config;
    const { formerNames: former } = request;
    const document = former
      ? formerActorDocument(view, keys, site, former)
      : actorDocument(view, keys, site);
    return sendActivity(reply, document);
  });

  server.get("/actor", OPEN, async (_request, reply) =>
    sendActivity(reply, await instanceActorDocument(app), { maxAge: 600 }),
  );

  server.get("/actor/outbox", OPEN, async (_request, reply) => {
    const { uri } = await instanceActor(app);
    const id = `${uri}/outbox`;
    const empty = { type: "OrderedCollection", totalItems: 0, orderedItems: [] };
    return sendActivity(reply, { "@context": AS_CONTEXT, id, ...empty });
  });
};
