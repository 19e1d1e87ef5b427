// The page to write on, where other pages and apps lead: /compose?text=…&in_reply_to=…&quote=…&visibility=…

import { ApiError } from "../api/get.ts";
import type { Get } from "../api/get.ts";
import type { List, MediaAttachment, Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { Place } from "../app.ts";
import { VISIBILITIES } from "../api/visibility.ts";
import type { Opening } from "../compose/open.ts";
import { PlainFields } from "../compose/plain-fields.tsx";
import { loadLists } from "../store/named.ts";
import { keepStatus } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { Composer } from "../compose/composer.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { Post } from "../views/post.tsx";
import { openPath } from "../window/opening.ts";
import type { Page } from "./page.ts";

type Compose = {
  opening: Opening;
  parentId: string | null;
  quotedId: string | null;
  lists: List[];
  /** What was uploaded for a post that was refused. */
  media: MediaAttachment[];
};

const idIn = (place: Place, name: string): string | null => {
  const value = place.query[name] ?? "";
  return /^\d{1,19}$/.test(value) ? value : null;
};

/** Returns null for what was deleted: it is neither replied to, quoted nor attached then, but the text is kept. */
const findAt = async <T,>(get: Get, path: string): Promise<T | null> => {
  try {
    return (await get<T>(path)).body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
};

const find = async (get: Get, store: Store, id: string | null): Promise<string | null> => {
  const status = id === null ? null : await findAt<Status>(get, `/api/v1/statuses/${id}`);
  return status && keepStatus(store, status);
};

const findMedia = async (get: Get, { query }: Place): Promise<MediaAttachment[]> => {
  const ids = query["media"]?.match(/\d{1,19}/g) ?? [];
  const found = ids.map((id) => findAt<MediaAttachment>(get, `/api/v1/media/${id}`));
  return (await Promise.all(found)).filter((media) => media !== null);
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
  load: async (loading) => {
    const { get, store, place } = loading;
    const parentId = await find(get, store, idIn(place, "in_reply_to"));
    const quotedId = parentId ? null : await find(get, store, idIn(place, "quote"));
    const lists = await loadLists(loading);
    const media = await findMedia(get, place);
    return { opening: openingOf(place, parentId, quotedId), parentId, quotedId, lists, media };
  },
  View: ({ data }) => {
    const { store, t } = useApp();
    const { opening, parentId, quotedId, lists, media } = data;
    const about = store.statuses.get(parentId ?? quotedId ?? "")?.value;
    const toHome = (): void => void openPath("/home");
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
          fields={<PlainFields media={media} />}
          onDone={({ isHeld }) => void openPath(isHeld ? "/scheduled" : "/home")}
          onCancel={toHome}
        />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("nav.compose"), isHidden: true }),
};
