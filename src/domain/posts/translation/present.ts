// Presents translations as the JSON entity. https://docs.joinmastodon.org/entities/Translation/

import type { SeenStatus } from "../statuses/tables.ts";
import type { Translation } from "./translate.ts";

export const translationEntity = (view: SeenStatus, translation: Translation) => ({
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
