// Lists the limits that clients read before they let anybody write, attach media or create a poll.
// https://docs.joinmastodon.org/entities/Instance/#configuration

import type { App } from "../../../platform/app.ts";
import { CHARACTERS_PER_URL } from "../../../platform/text/count.ts";
import { CONTENT_TYPES } from "../../../platform/text/written.ts";
import {
  DESCRIPTION,
  FRAME_RATE,
  MAX_ATTACHED,
  PICTURE_BYTES,
  PICTURE_PIXELS,
  VIDEO_BYTES,
  VIDEO_PIXELS,
  supportedTypes,
} from "../../base/media/limits.ts";
import { MAX_NAME } from "../../people/accounts/profile-text.ts";
import { MAX_FEATURED_TAGS } from "../../posts/tags/rules.ts";

const media = (app: App) => ({
  supported_mime_types: supportedTypes(app),
  image_size_limit: PICTURE_BYTES,
  image_matrix_limit: PICTURE_PIXELS,
  video_size_limit: VIDEO_BYTES,
  video_frame_rate_limit: FRAME_RATE,
  video_matrix_limit: VIDEO_PIXELS,
});

const POLLS = {
  max_options: 4,
  max_characters_per_option: 50,
  min_expiration: 300,
  max_expiration: 2_629_746,
};

const ACCOUNTS = {
  max_display_name_length: MAX_NAME,
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
  max_media_attachments: MAX_ATTACHED,
  characters_reserved_per_url: CHARACTERS_PER_URL,
  // This member is an extension, with the name that glitch-soc gives it.
  supported_mime_types: [...CONTENT_TYPES],
});

/** One reaction of each person to a post. The member is an extension, with the name that glitch-soc gives it. */
const REACTIONS = { max_reactions: 1 };

/** Returns the members that v1 and v2 share; v2 has more about accounts and media. */
export const limitsV1 = (app: App) => ({
  accounts: { max_featured_tags: ACCOUNTS.max_featured_tags },
  statuses: statusLimits(app),
  media_attachments: media(app),
  polls: POLLS,
  reactions: REACTIONS,
});

/**
 * Says again in Pleroma's names what older apps look for beside the configuration (extensions). There is no `pleroma`:
 * apps take a server that has it for Pleroma and hide what that lacks, such as filters.
 */
export const pleromaLimits = (app: App) => ({
  max_toot_chars: app.config.instance.maxCharacters,
  poll_limits: {
    max_options: POLLS.max_options,
    max_option_chars: POLLS.max_characters_per_option,
    min_expiration: POLLS.min_expiration,
    max_expiration: POLLS.max_expiration,
  },
});

export const limitsV2 = (app: App) => ({
  accounts: ACCOUNTS,
  statuses: statusLimits(app),
  media_attachments: { ...media(app), description_limit: DESCRIPTION },
  polls: POLLS,
  reactions: REACTIONS,
});
