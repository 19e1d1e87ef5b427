// Writes the texts of notifications for messages and mails.

import { shorten } from "../../../platform/text/cut.ts";
import { storedText, sanitiseName } from "../../../platform/text/plain.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { shownContent } from "../../posts/statuses/present.ts";
import type { NotificationView } from "./tables.ts";

const MAX_NAME = 60;

/** Returns the name on one line. */
export const nameOf = ({ display_name: displayName, username }: AccountView): string =>
  shorten(sanitiseName(displayName || `@${username}`), MAX_NAME);

/** Returns the text of a post; a text behind a content warning is not shown. */
export const postText = (status: NonNullable<NotificationView["status"]>): string =>
  status.spoiler_text === "" ? storedText(shownContent(status)) : status.spoiler_text;
