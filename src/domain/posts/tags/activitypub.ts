// Presents featured tags as ActivityPub, with the members that peers know (test/golden).

import type { FullConfig } from "../../../platform/config/config.ts";
import { AS_CONTEXT, sendable } from "../../people/accounts/activitypub.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { ownTagUrl } from "./present.ts";

type Site = FullConfig["site"];
type Featured = { name: string; display: string };

const HASHTAG_CONTEXT = [AS_CONTEXT, { Hashtag: "as:Hashtag" }];

const hashtag = (view: AccountView, { name, display }: Featured, site: Site) => ({
  type: "Hashtag",
  href: ownTagUrl(site, view, name),
  name: `#${display}`,
});

/** Makes the collection at the actor's `featuredTags`. */
export const featuredTagsDocument = (view: AccountView, tags: Featured[], site: Site) => ({
  "@context": tags.length > 0 ? HASHTAG_CONTEXT : AS_CONTEXT,
  id: `${view.uri}/collections/tags`,
  type: "Collection",
  totalItems: tags.length,
  items: tags.map((tag) => hashtag(view, tag, site)),
});

/** Makes the Add or Remove of a featured tag; peers expect the collection of pinned posts as its target. */
export const featureTagActivity = (
  type: "Add" | "Remove",
  view: AccountView,
  tag: Featured,
  site: Site,
) =>
  sendable({
    "@context": HASHTAG_CONTEXT,
    type,
    actor: view.uri,
    target: `${view.uri}/collections/featured`,
    object: hashtag(view, tag, site),
  });
