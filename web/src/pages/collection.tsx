// Shows a collection of people that somebody recommends.

import type { CollectionWithAccounts } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useApp } from "../app.ts";
import { TagName } from "../elements/tag-name.tsx";
import { CoverSummary } from "../elements/cover-summary.tsx";
import { keepAccount } from "../store/store.ts";
import { ColumnHead } from "../views/frame.tsx";
import { Name, plainName, profilePath } from "../elements/names.tsx";
import { PersonCardOf } from "../views/person-card.tsx";
import { loadRelationships } from "../store/relations.ts";
import type { Page } from "./page.ts";
import { Sentence } from "../elements/sentence.tsx";

type Shown = {
  collection: CollectionWithAccounts["collection"];
  owner: string | null;
  ids: string[];
};

export const collection: Page<Shown> = {
  path: "/collections/:id(\\d+)",
  load: async (loading) => {
    const { get, store, place, me } = loading;
    const { body } = await get<CollectionWithAccounts>(`/api/v1/collections/${place.params["id"]}`);
    const { collection: shown } = body;
    if (!shown.local && !me) throw new ApiError(404, "");
    const known = new Set(body.accounts.map((account) => keepAccount(store, account)));
    const ids = shown.items.flatMap(({ account_id: id }) => (id && known.has(id) ? [id] : []));
    await loadRelationships(loading, ids);
    return {
      collection: shown,
      owner: known.has(shown.account_id) ? shown.account_id : null,
      ids,
    };
  },
  View: ({ data }) => {
    const { store, t } = useApp();
    const { name, description, sensitive, tag } = data.collection;
    const owner = data.owner ? store.accounts.get(data.owner)?.value : undefined;
    const people =
      data.ids.length === 0 ? (
        <p>{t("collection.empty")}</p>
      ) : (
        data.ids.map((id) => <PersonCardOf key={id} id={id} />)
      );
    return (
      <>
        <ColumnHead title={name} />
        <section class="section">
          {description && <p dir="auto">{description}</p>}
          <p class="soft">
            {owner && (
              <Sentence
                text="collection.by"
                elements={{
                  name: (
                    <a href={profilePath(owner)}>
                      <Name account={owner} />
                    </a>
                  ),
                }}
              />
            )}{" "}
            {tag && (
              <a href={`/tags/${encodeURIComponent(tag.name)}`}>
                <TagName name={tag.name} />
              </a>
            )}
          </p>
        </section>
        {sensitive ? (
          <details class="warning">
            <CoverSummary>{t("collection.sensitive")}</CoverSummary>
            <div class="feed">{people}</div>
          </details>
        ) : (
          <div class="feed">{people}</div>
        )}
      </>
    );
  },
  head: (
    { collection: { name, description, discoverable, url, item_count }, owner },
    { store, t },
  ) => {
    const account = owner ? store.accounts.get(owner)?.value : undefined;
    return {
      title: name,
      description:
        description ||
        t("collection.summary", { count: item_count, name: account ? plainName(account) : "" }),
      isHidden: !discoverable,
      ...(url && { url }),
      ...(account && { image: account.avatar }),
    };
  },
};
