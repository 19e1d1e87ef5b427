// Presents media as the MediaAttachment entity. https://docs.joinmastodon.org/entities/MediaAttachment/

import type { FullConfig } from "../../../platform/config/config.ts";
import { fileUrl } from "../../../platform/storage/index.ts";
import { remoteFileUrl, remoteTag, staffTag } from "../../../platform/storage/remote-url.ts";
import type { MediaView } from "./tables.ts";

type Site = FullConfig["site"];

/** Returns the address of the file at its own server, for peers; null while there is none yet. */
export const originalUrl = ({ remote_url, file_key }: MediaView, site: Site): string | null =>
  remote_url ?? (file_key && fileUrl(site, file_key));

/**
 * With `forStaff` the address also shows what is hidden from others, of a suspended account or a server whose media are
 * rejected.
 */
const addressHere = (
  kind: "attachments" | "previews",
  { id, remote_url: url }: MediaView & { remote_url: string },
  site: Site,
  forStaff: boolean,
): string => remoteFileUrl(site, kind, id, url, forStaff ? staffTag(site, url) : remoteTag(url));

const isElsewhere = (media: MediaView): media is MediaView & { remote_url: string } =>
  media.remote_url !== null;

/** Returns the address from which people here get the file. */
export const mediaUrl = (media: MediaView, site: Site, forStaff = false): string | null =>
  isElsewhere(media) && media.type !== "unknown"
    ? addressHere("attachments", media, site, forStaff)
    : originalUrl(media, site);

const hasPicture = ({ type }: MediaView): boolean => type !== "audio" && type !== "unknown";

/** Returns the address of a smaller picture; null where there is none. */
const previewUrl = (media: MediaView, site: Site, forStaff = false): string | null => {
  if (!isElsewhere(media)) return media.small_key && fileUrl(site, media.small_key);
  return hasPicture(media) ? addressHere("previews", media, site, forStaff) : null;
};

export const mediaEntity = (media: MediaView, site: Site, forStaff = false) => ({
  id: media.id,
  type: media.type,
  url: mediaUrl(media, site, forStaff),
  preview_url: previewUrl(media, site, forStaff),
  remote_url: media.remote_url,
  preview_remote_url: null,
  text_url: null,
  meta: media.meta,
  description: media.description,
  blurhash: media.blurhash,
});
