// The page to write on, where other pages and apps lead: /compose?text=…&in_reply_to=…&quote=…&visibility=…

import { ApiError } from "../api/get.ts";
import type { Get } from "../api/get.ts";
import type { List, Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { Place } from "../app.ts";
import { VISIBILITIES } from "../api/visibility.ts";
import type { Opening } from "../compose/open.ts";
import { keepStatus } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { Composer } from "../compose/composer.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { Post } from "../views/post.tsx";
import type { Page } from "./page.ts";

type Compose = {
  opening: Opening;
  parentId: string | null;
  quotedId: string | null;
  lists: List[];
};

const idIn = (place: Place, name: string): string | null => {
  const value = place.query[name] ?? "";
  return /^\d{1,19}$/.test(value) ? value : null;
};

/** Returns a post, or null if it was deleted: it is neither replied to nor quoted then, but the text is kept. */
const find = async (get: Get, store: Store, id: string | null): Promise<string | null> => {
  if (id === null) return null;
  try {
    return keepStatus(store, (await get<Status>(`/api/v1/statuses/${id}`)).body);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
};

const openingOf = ({ query }: Place, parentId: string | null, quotedId: string | null): Opening => {
  const visibility = VISIBILITIES.find((each) => each === query["visibility"]);
  const lists = query["lists"]?.split(",");
  const more = {
    text: query["text"] ?? "",
    ...(visibility && { visibility }),
    ...(lists && { lists }),
  };
  if (parentId) return { purpose: { kind: "reply", id: parentId }, ...more };
  if (quotedId) return { purpose: { kind: "quote", id: quotedId }, ...more };
  return { purpose: { kind: "new" }, ...more };
};

export const compose: Page<Compose> = {
  path: "/compose",
  isForMembers: true,
  load: async ({ get, store, place }) => {
    const parentId = await find(get, store, idIn(place, "in_reply_to"));
    const quotedId = parentId ? null : await find(get, store, idIn(place, "quote"));
    const { body: lists } = await get<List[]>("/api/v1/lists");
    return { opening: openingOf(place, parentId, quotedId), parentId, quotedId, lists };
  },
  View: ({ data }) => {
    const { store, t } = useApp();
    const { opening, parentId, quotedId, lists } = data;
    const about = store.statuses.get(parentId ?? quotedId ?? "")?.value;
    const toHome = (): void => location.assign("/home");
    return (
      <>
        <ColumnHead title={t(parentId ? "compose.reply" : "nav.compose")} back />
        {about && (
          <div class="feed">
            <Post status={about} />
          </div>
        )}
        <Composer
          opening={opening}
          {...(parentId && about && { parent: about })}
          isOpen
          lists={lists}
          onDone={({ isHeld }) => location.assign(isHeld ? "/scheduled" : "/home")}
          onCancel={toHome}
        />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("nav.compose"), isHidden: true }),
};
