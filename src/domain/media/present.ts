// Media → the MediaAttachment entity. https://docs.joinmastodon.org/entities/MediaAttachment/

import type { FullConfig } from "../../platform/config/config.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import { remoteFileUrl } from "../../platform/storage/remote-url.ts";
import type { MediaView } from "./tables.ts";

type Site = FullConfig["site"];

/** Where the file itself is, for peers: at its own server. null: it is not there yet. */
export const originalUrl = ({ remote_url, file_key }: MediaView, site: Site): string | null =>
  remote_url ?? (file_key && fileUrl(site, file_key));

/** Where people here get it. */
export const mediaUrl = (media: MediaView, site: Site): string | null =>
  media.remote_url === null || media.type === "unknown"
    ? originalUrl(media, site)
    : remoteFileUrl(site, "attachments", media.id, media.remote_url);

const hasPicture = ({ type }: MediaView): boolean => type !== "audio" && type !== "unknown";

/** A smaller picture of it; null: there is none. */
export const previewUrl = (media: MediaView, site: Site): string | null => {
  if (media.remote_url === null) return media.small_key && fileUrl(site, media.small_key);
  return hasPicture(media) ? remoteFileUrl(site, "previews", media.id, media.remote_url) : null;
};

export const mediaEntity = (media: MediaView, site: Site) => ({
  id: media.id,
  type: media.type,
  url: mediaUrl(media, site),
  preview_url: previewUrl(media, site),
  remote_url: media.remote_url,
  preview_remote_url: null,
  text_url: null,
  meta: media.meta,
  description: media.description,
  blurhash: media.blurhash,
});
