// Media → the MediaAttachment entity. https://docs.joinmastodon.org/entities/MediaAttachment/

import type { MediaView } from "./tables.ts";

export const mediaEntity = (media: MediaView) => ({
  id: media.id,
  type: media.type,
  url: media.url,
  preview_url: media.type === "audio" || media.type === "unknown" ? null : media.url,
  remote_url: media.remote_url,
  preview_remote_url: null,
  text_url: null,
  meta: media.meta,
  description: media.description,
  blurhash: media.blurhash,
});
