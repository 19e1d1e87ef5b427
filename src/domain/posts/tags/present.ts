// Presents tag views as JSON entities. https://docs.joinmastodon.org/entities/Tag/

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoDate, isoTime } from "../../../platform/ids/index.ts";
import { asciiAcct } from "../../people/accounts/present.ts";
import { historyDays } from "./rules.ts";
import type { FeaturedTagRow, TagDay, TagView } from "./tables.ts";

type Site = FullConfig["site"];

export const tagUrl = (site: Site, name: string): string =>
  `${site.origin}/tags/${encodeURIComponent(name)}`;

const historyEntity = (days: TagDay[], now: Date) => {
  const known = new Map(days.map((day) => [day.day, day]));
  return historyDays(now).map((day) => {
    const { uses, accounts } = known.get(isoDate(day)) ?? { uses: "0", accounts: "0" };
    return { day: String(day.getTime() / 1000), accounts, uses };
  });
};

/** Makes the Tag entity; `signedIn` adds the viewer's members. A tag that nobody has used has the id 0. */
export const tagEntity = (view: TagView, site: Site, now: Date, signedIn: boolean) => ({
  id: view.id ?? "0",
  name: view.display_name,
  url: tagUrl(site, view.name),
  history: historyEntity(view.days, now),
  ...(signedIn && { following: view.following, featuring: view.featuring }),
  // These are extensions: whether its threads are left out of one's home, and until when; null for ever.
  ...(signedIn && {
    muting: view.muting,
    muting_expires_at: view.muting_expires_at && isoTime(view.muting_expires_at),
  }),
});

type Owner = { username: string; domain: string | null };

/** Returns the address of the page of the owner's posts with the tag. */
export const ownTagUrl = (site: Site, owner: Owner, name: string): string =>
  `${site.origin}/@${encodeURIComponent(asciiAcct(owner)).replace("%40", "@")}/tagged/${encodeURIComponent(name)}`;

/** Makes the entity of https://docs.joinmastodon.org/entities/FeaturedTag/ */
export const featuredTagEntity = (row: FeaturedTagRow, owner: Owner, site: Site) => ({
  id: row.id,
  name: row.display,
  url: ownTagUrl(site, owner, row.name),
  statuses_count: row.statuses_count,
  last_status_at: row.last_status_at && isoDate(row.last_status_at),
});
