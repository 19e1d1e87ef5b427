// Converts the Instance entity to what the client knows of the server.

import type { Instance } from "./api/entities.ts";
import type { Site } from "./app.ts";

export const siteOf = (instance: Instance): Site => {
  const { statuses, polls, urls, translation, media_attachments, rookery } =
    instance.configuration as Record<string, any>;
  const { enabled, approval_required } = instance.registrations as Record<string, any>;
  return {
    title: instance.title,
    domain: instance.domain,
    version: instance.version,
    description: instance.description,
    registrations: { enabled, approval_required },
    limits: {
      characters: statuses.max_characters,
      media: statuses.max_media_attachments,
      linkCharacters: statuses.characters_reserved_per_url,
      pollOptions: polls.max_options,
      pollCharacters: polls.max_characters_per_option,
      descriptionCharacters: media_attachments.description_limit,
    },
    streaming: urls.streaming,
    canTranslate: translation.enabled,
    hasEvents: rookery?.events === true,
    accent: instance.accent_color ?? null,
    trendsFirst: instance.trends_as_landing_page ?? false,
  };
};

/** Returns the facts used while the server cannot be asked. */
export const unknownSite = (title: string, domain: string): Site => ({
  title,
  domain,
  version: "",
  description: "",
  registrations: { enabled: false, approval_required: false },
  limits: {
    characters: 0,
    media: 0,
    linkCharacters: 0,
    pollOptions: 0,
    pollCharacters: 0,
    descriptionCharacters: 0,
  },
  streaming: "",
  canTranslate: false,
  hasEvents: false,
  accent: null,
  trendsFirst: false,
});
