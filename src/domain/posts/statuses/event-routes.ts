// Serves answers to calendar events (yes, maybe, no, or taken back), and the list of people who answered, for the
// author alone.

import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { readPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import type { Server } from "../../../platform/http/server.ts";
import { IdParams, byId } from "../../../platform/http/schema.ts";
import { listAccounts } from "../../people/accounts/load.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { ANSWERS } from "../events/tables.ts";
import type { Answer } from "../events/tables.ts";
import { answerEvent, listAnswerers, withdrawAnswer } from "./answer-event.ts";
import { statusEntity } from "./present.ts";
import { AnswerBody, AnswersQuery } from "./schema.ts";

const answerOf = (text: unknown): Answer => {
  const answer = ANSWERS.find((known) => known === text);
  if (!answer) throw new Unprocessable("Validation failed: Answer must be yes, maybe or no");
  return answer;
};

export const eventRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  const path = "/api/v1/statuses/:id/event/answer";
  const config = extension(userForm("write:statuses"), "statuses", "Status", "404", "422");
  server.post(path, { config, schema: { params: IdParams, body: AnswerBody } }, async (request) => {
    const viewer = viewerOf(request).person;
    const answer = answerOf(request.body?.answer);
    return statusEntity(await answerEvent(app, viewer, pathId(request.params.id), answer), site);
  });

  server.delete(path, byId(config), async (request) => {
    const viewer = viewerOf(request).person;
    return statusEntity(await withdrawAnswer(app, viewer, pathId(request.params.id)), site);
  });

  server.get(
    "/api/v1/statuses/:id/event/answers",
    {
      config: extension(user("read:statuses"), "statuses", ["Account"], "404", "422"),
      schema: { params: IdParams, querystring: AnswersQuery },
    },
    async (request, reply) => {
      const viewer = viewerOf(request).person;
      const answer = answerOf(request.query.answer);
      const id = pathId(request.params.id);
      const rows = await readPage(app, request, reply, { most: 40, prev: "since_id" }, (page) =>
        listAnswerers(app, viewer, id, answer, page),
      );
      const people = rows.map((row) => row.id);
      return (await listAccounts(app, people)).map((account) => accountEntity(account, site));
    },
  );
};
