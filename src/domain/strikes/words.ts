// What moderators decided, as the people concerned read it on pages and in mails.

import type { StrikeAction } from "./tables.ts";

export const STRIKE_WORDS: Record<StrikeAction, { title: string; text: string }> = {
  none: {
    title: "Warning from the moderators",
    text: "The moderators have sent you a warning.",
  },
  disable: {
    title: "Your account has been frozen",
    text: "The moderators have frozen your account. You cannot use it; your profile and posts stay as they are.",
  },
  mark_statuses_as_sensitive: {
    title: "Your posts have been marked as sensitive",
    text: "The moderators have hidden the media of some of your posts behind a warning.",
  },
  delete_statuses: {
    title: "Your posts have been removed",
    text: "The moderators have removed some of your posts, because they break the rules of this server.",
  },
  sensitive: {
    title: "Your posts are marked as sensitive from now on",
    text: "The moderators have decided that all media you post are hidden behind a warning.",
  },
  silence: {
    title: "Your account has been limited",
    text: "The moderators have limited your account. Only people who already follow you see your posts in their timelines.",
  },
  suspend: {
    title: "Your account has been suspended",
    text: "The moderators have suspended your account. Your profile and posts are hidden, and will be deleted after 30 days.",
  },
};
