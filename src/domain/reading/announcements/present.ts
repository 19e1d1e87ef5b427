// Presents announcement views as JSON entities. https://docs.joinmastodon.org/entities/Announcement/

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { extractMentions, extractTags } from "../../../platform/text/extract.ts";
import { formatText } from "../../../platform/text/format.ts";
import { acct } from "../../people/accounts/present.ts";
import { shortcodesOf } from "../../base/emojis/load.ts";
import { customEmojiEntity } from "../../base/emojis/present.ts";
import { tagUrl } from "../../posts/tags/present.ts";
import type { AnnouncementView, ReactionRow } from "./tables.ts";

type Site = FullConfig["site"];

const mentionEntities = (view: AnnouncementView) => {
  const accounts = extractMentions(view.text).flatMap(
    (mention) => view.mentions.get(mention.handle) ?? [],
  );
  return [...new Map(accounts.map((account) => [account.id, account])).values()].map((account) => ({
    id: account.id,
    username: account.username,
    url: account.url,
    acct: acct(account),
  }));
};

const reactionEntity = (view: AnnouncementView, { name, count, me }: ReactionRow, site: Site) => {
  const row = view.emojis.get(name);
  const emoji = row && customEmojiEntity(row, site);
  return {
    name,
    count,
    ...(view.read !== null && { me }),
    ...(emoji && { url: emoji.url, static_url: emoji.static_url }),
  };
};

const content = (view: AnnouncementView, site: Site): string =>
  formatText(view.text, { mentions: view.mentions, tagUrl: (name) => tagUrl(site, name) });

/** Makes the Announcement entity, with the viewer's members where there is one. */
export const announcementEntity = (view: AnnouncementView, site: Site) => ({
  id: view.id,
  content: content(view, site),
  starts_at: view.starts_at && isoTime(view.starts_at),
  ends_at: view.ends_at && isoTime(view.ends_at),
  all_day: view.all_day,
  published_at: isoTime(view.published_at ?? view.updated_at),
  updated_at: isoTime(view.updated_at),
  ...(view.read !== null && { read: view.read }),
  mentions: mentionEntities(view),
  statuses: view.statuses.map((status) => ({ id: status.id, url: status.url ?? status.uri })),
  tags: extractTags(view.text).map(({ name }) => ({ name, url: tagUrl(site, name) })),
  emojis: shortcodesOf(view.text).flatMap((code) => {
    const emoji = view.emojis.get(code);
    return emoji ? [customEmojiEntity(emoji, site)] : [];
  }),
  reactions: view.reactions.map((reaction) => reactionEntity(view, reaction, site)),
});
