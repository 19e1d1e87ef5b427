// Draws the pictures and videos of somebody's posts as a grid of squares; each opens in the viewer, or without scripts
// its post.

import type { MediaAttachment } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { feedState } from "../store/feed.ts";
import type { FeedData } from "../store/feed.ts";
import type { StoredStatus } from "../store/store.ts";
import { Older } from "./feed.tsx";
import { FilterPlace, isHidden, useFilters } from "./filters.ts";
import { Icon } from "../elements/icons.tsx";
import { focusClass } from "./media.tsx";
import { postPath } from "./shown-status.ts";
import { coversMedia, useReading } from "../text/reading.ts";

type FaceProps = {
  media: MediaAttachment;
  /** Why it is covered, or nothing. */
  cover: string | undefined;
};

const Face = ({ media, cover }: FaceProps) => {
  const { t } = useApp();
  const label = media.description || t(`media.${media.type}`);
  const source = media.preview_url ?? (media.type === "image" ? media.url : null);
  if (cover || !source || !/^https?:\/\//i.test(source))
    return (
      <span class="grid-covered">
        <Icon name={cover ? "eye" : "picture"} />
        <span class="small">{cover ?? label}</span>
      </span>
    );
  return (
    <>
      <img
        src={source}
        alt={label}
        width="200"
        height="200"
        class={focusClass(media)}
        loading="lazy"
        decoding="async"
      />
      {media.type !== "image" && <span class="grid-kind small">{t(`media.${media.type}`)}</span>}
    </>
  );
};

const Tiles = ({ status }: { status: StoredStatus }) => {
  const reading = useReading();
  const isWarned = status.spoiler_text !== "" && !reading.spoilers;
  const { t } = useApp();
  const [filter] = useFilters(status);
  const isSensitive = isWarned || coversMedia(reading, status.sensitive);
  const isHarmless = !isWarned && !status.sensitive;
  const warned = isSensitive ? t(isHarmless ? "media.hidden" : "media.sensitive") : undefined;
  const cover = filter ? t("post.filtered", { filter: filter.title }) : warned;
  return (
    <>
      {status.media_attachments.map((media) => (
        <a
          key={media.id}
          class="grid-tile"
          href={postPath(status)}
          data-status={status.id}
          data-media={cover || media.type === "unknown" ? undefined : media.id}
        >
          <Face media={media} cover={cover} />
        </a>
      ))}
    </>
  );
};

export const MediaGrid = ({ data, empty }: { data: FeedData; empty: string }) => {
  const { store } = useApp();
  void store.removals.value;
  const state = feedState(data);
  const statuses = state.ids.value.flatMap((id) => store.statuses.get(id)?.value ?? []);
  const context = data.context ?? null;
  const shown = statuses.filter((status) => !status.isGone && !isHidden(status, context));
  if (shown.length === 0 && !state.next.value)
    return (
      <div class="empty">
        <p>{empty}</p>
      </div>
    );
  return (
    <FilterPlace value={context}>
      <div class="media-grid">
        {shown.map((status) => (
          <Tiles key={status.id} status={status} />
        ))}
      </div>
      <Older state={state} />
    </FilterPlace>
  );
};
