// Serves /@name/ID/event.ics: for apps with a token, for browsers with a session, and for calendars with neither.

import type { FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { NotFound } from "../platform/errors.ts";
import { open, requestViewer } from "../platform/http/auth.ts";
import type { Server } from "../platform/http/server.ts";
import { asPerson, NOBODY } from "../platform/viewer.ts";
import type { Viewer } from "../platform/viewer.ts";
import { visitor } from "../domain/people/users/pages/cookies.ts";
import { eventCalendar } from "./event-ics.ts";
import { postOf } from "./post-of.ts";
import { SHARED } from "./web/document.ts";

const viewerOf = async (app: App, request: FastifyRequest): Promise<Viewer> => {
  if (request.credentials) return requestViewer(request);
  const who = await visitor(app, request);
  return who?.standing === "active" ? asPerson(who.accountId) : NOBODY;
};

/** Access like that of pages, which are shown even where the API requires a login. */
const access = { ...open("read:statuses").access, always: true };

type Path = { Params: { name: string; id: string } };

export const eventFileRoutes = (server: Server, app: App): void => {
  server.get<Path>("/@:name/:id/event.ics", { config: { access } }, async (request, reply) => {
    const viewer = await viewerOf(app, request);
    const view = await postOf(app, request.params, viewer);
    if (!view.event) throw new NotFound();
    return reply
      .headers({
        "content-type": "text/calendar; charset=utf-8",
        "content-disposition": 'attachment; filename="event.ics"',
        "cache-control": viewer.kind === "nobody" ? SHARED : "private, no-store",
        vary: "Authorization, Cookie",
        "x-content-type-options": "nosniff",
      })
      .send(eventCalendar(view, view.event));
  });
};
