// Collections that a text links to: by the address of their page or their own, exactly as it is written.
// https://docs.joinmastodon.org/client/collections/#sharing-collections

import type { App } from "../../platform/app.ts";
import { loadCollections } from "./load.ts";
import { localIdOf } from "./present.ts";
import { selectIdsByAddresses } from "./queries-consent.ts";
import type { CollectionView } from "./tables.ts";

const NONE: ReadonlyMap<string, CollectionView> = new Map();

/** By the address, as everybody sees them; unknown ones are left out. No query where there are no addresses. */
export const collectionsAt = async (
  app: App,
  addresses: string[],
): Promise<ReadonlyMap<string, CollectionView>> => {
  if (addresses.length === 0) return NONE;
  const { site } = app.config;
  const ids = new Map<string, string>();
  const remote: string[] = [];
  for (const address of new Set(addresses)) {
    const id = localIdOf(site, address);
    if (id === null) remote.push(address);
    else ids.set(address, id);
  }
  if (remote.length > 0) {
    for (const row of await selectIdsByAddresses(app.sql, remote)) ids.set(row.address, row.id);
  }
  const views = await loadCollections(app, [...new Set(ids.values())], null);
  const byId = new Map(views.map((view) => [view.id, view]));
  return new Map(
    [...ids].flatMap(([address, id]) => {
      const view = byId.get(id);
      return view ? [[address, view] as const] : [];
    }),
  );
};
