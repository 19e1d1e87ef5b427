// The words of notifications as messages and mails have them.

import { storedText, sanitiseName } from "../../platform/text/plain.ts";
import type { AccountView } from "../accounts/tables.ts";
import { shownContent } from "../statuses/present.ts";
import type { NotificationView } from "./tables.ts";

const MAX_NAME = 60;

/** At most `max` characters, the last of them an ellipsis where it is cut. */
export const shorten = (text: string, max: number): string => {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
};

/** On one line. */
export const nameOf = ({ display_name: displayName, username }: AccountView): string =>
  shorten(sanitiseName(displayName || `@${username}`), MAX_NAME);

/** The text of a post; behind a content warning it stays there. */
export const postText = (status: NonNullable<NotificationView["status"]>): string =>
  status.spoiler_text === "" ? storedText(shownContent(status)) : status.spoiler_text;
