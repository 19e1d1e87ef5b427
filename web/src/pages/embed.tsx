// Draws a single post for frames on other pages: a local post that is open to everybody. Only the server draws it,
// without the client.

import { isOpenToAll } from "../api/visibility.ts";
import type { Status } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useApp } from "../app.ts";
import { keepStatus } from "../store/store.ts";
import { plainName } from "../elements/names.tsx";
import { PostOf } from "../views/post.tsx";
import type { Page } from "./page.ts";

type Embed = { id: string };

export const embed: Page<Embed> = {
  path: "/@:acct/:id(\\d+)/embed",
  load: async ({ get, store, place }) => {
    const { acct = "", id = "" } = place.params;
    const { body: status } = await get<Status>(`/api/v1/statuses/${id}`);
    const isAuthor = status.account.acct.toLowerCase() === acct.toLowerCase();
    if (!isAuthor || acct.includes("@") || status.reblog || !isOpenToAll(status))
      throw new ApiError(404, "");
    return { id: keepStatus(store, status) };
  },
  View: ({ data }) => {
    const { store, site, t } = useApp();
    const { url } = store.statuses.get(data.id)!.value;
    return (
      <main>
        <PostOf id={data.id} isMain />
        <p class="embed-site small">
          <a href={url ?? undefined}>{t("embed.site", { name: site.title })}</a>
        </p>
      </main>
    );
  },
  head: ({ id }, { store, site, t }) => {
    const { account, url } = store.statuses.get(id)!.value;
    const title = t("embed.title", { name: plainName(account), site: site.title });
    return { title, isHidden: true, ...(url && { url }) };
  },
};
