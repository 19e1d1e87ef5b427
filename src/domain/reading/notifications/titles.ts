// Writes the titles of notifications for messages and mails.

import { textsIn } from "../../../platform/text/texts.ts";
import type { Key } from "../../../platform/text/texts.ts";
import type { NotificationType } from "./tables.ts";

const KEYS: Record<NotificationType, Key> = {
  mention: "notify.mention",
  status: "notify.status",
  reblog: "notify.reblog",
  follow: "notify.follow",
  follow_request: "notify.follow_request",
  favourite: "notify.favourite",
  update: "notify.update",
  poll: "notify.poll",
  quote: "notify.quote",
  quoted_update: "notify.quoted_update",
  "admin.sign_up": "notify.sign_up",
  "admin.report": "notify.report_filed",
  annual_report: "notify.annual_report",
  added_to_collection: "notify.added_to_collection",
  collection_update: "notify.collection_update",
  moderation_warning: "notify.moderation_warning",
  severed_relationships: "notify.connections_lost",
};

/** Returns the title in the language of the locale; `name` is the person who acted. */
export const titleOf = (type: NotificationType, locale: string, name: string): string =>
  textsIn(locale).t(KEYS[type], { name });
