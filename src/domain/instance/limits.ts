// The limits that clients read before they let anybody write, attach media or create a poll.
// https://docs.joinmastodon.org/entities/Instance/#configuration

import type { App } from "../../platform/app.ts";
import { CHARACTERS_PER_URL } from "../../platform/text/count.ts";
import { MAX_FEATURED_TAGS } from "../tags/rules.ts";

const IMAGES = ["jpeg", "png", "gif", "heic", "heif", "webp", "avif"].map(
  (name) => `image/${name}`,
);
const VIDEOS = ["webm", "mp4", "quicktime", "ogg"].map((name) => `video/${name}`);
const AUDIO =
  "wave wav x-wav x-pn-wave vnd.wave ogg vorbis mpeg mp3 webm flac aac m4a x-m4a mp4 3gpp"
    .split(" ")
    .map((name) => `audio/${name}`);

const MEDIA = {
  supported_mime_types: [...IMAGES, ...VIDEOS, ...AUDIO, "video/x-ms-asf"],
  image_size_limit: 16_777_216,
  image_matrix_limit: 33_177_600,
  video_size_limit: 103_809_024,
  video_frame_rate_limit: 120,
  video_matrix_limit: 8_294_400,
};

const POLLS = {
  max_options: 4,
  max_characters_per_option: 50,
  min_expiration: 300,
  max_expiration: 2_629_746,
};

const ACCOUNTS = {
  max_display_name_length: 30,
  max_note_length: 500,
  max_avatar_description_length: 150,
  max_header_description_length: 150,
  max_featured_tags: MAX_FEATURED_TAGS,
  max_pinned_statuses: 5,
  max_profile_fields: 4,
  profile_field_name_limit: 255,
  profile_field_value_limit: 255,
};

const statusLimits = (app: App) => ({
  max_characters: app.config.instance.maxCharacters,
  max_media_attachments: 4,
  characters_reserved_per_url: CHARACTERS_PER_URL,
});

/** The members that v1 and v2 share; v2 has more about accounts and media. */
export const limitsV1 = (app: App) => ({
  accounts: { max_featured_tags: ACCOUNTS.max_featured_tags },
  statuses: statusLimits(app),
  media_attachments: MEDIA,
  polls: POLLS,
});

export const limitsV2 = (app: App) => ({
  accounts: ACCOUNTS,
  statuses: statusLimits(app),
  media_attachments: { ...MEDIA, description_limit: 1500 },
  polls: POLLS,
});
