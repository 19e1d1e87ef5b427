// Translates statuses, and lists the supported languages. https://docs.joinmastodon.org/methods/statuses/#translate

import type { App } from "../../../platform/app.ts";
import { open, user, viewerOf } from "../../../platform/http/auth.ts";
import { shareable } from "../../../platform/http/cache.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { IdParams, Type } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { getVisible } from "../statuses/load.ts";
import { translateStatus, translationLanguages } from "./translate.ts";
import type { SeenStatus } from "../statuses/tables.ts";
import type { Translation } from "./translate.ts";

const translationEntity = (view: SeenStatus, translation: Translation) => ({
  content: translation.content,
  spoiler_text: translation.spoilerText,
  language: translation.language,
  poll: view.poll && {
    id: view.poll.id,
    options: translation.options.map((title) => ({ title })),
  },
  media_attachments: translation.descriptions,
  detected_source_language: translation.detectedSourceLanguage,
  provider: translation.provider,
});

const TranslateBody = Type.Object({
  lang: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
});

export const translationRoutes = (server: Server, app: App): void => {
  server.post(
    "/api/v1/statuses/:id/translate",
    { config: user("read:statuses"), schema: { params: IdParams, body: TranslateBody } },
    async (request) => {
      const { accountId, locale } = viewerOf(request);
      const seen = await getVisible(app, pathId(request.params.id), asPerson(accountId));
      const view = seen.reblog ?? seen;
      const { lang } = request.body;
      return translationEntity(view, await translateStatus(app, view, { lang, locale }));
    },
  );

  for (const path of [
    "/api/v1/instance/translation_languages",
    "/api/v1/statuses/translation_languages",
  ]) {
    server.get(path, { config: open() }, async (_request, reply) =>
      shareable(reply).send(await translationLanguages(app)),
    );
  }
};
