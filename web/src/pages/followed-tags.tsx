// Lists the hashtags that a member follows.

import type { Tag } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { Empty } from "../views/empty.tsx";
import { FollowTag } from "../views/follow-tag.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { More } from "../elements/more.tsx";
import { Icon } from "../elements/icons.tsx";
import type { Page } from "./page.ts";

type Data = { names: string[]; next: Record<string, string> | null };

export const followedTags: Page<Data> = {
  path: "/followed_tags",
  isForMembers: true,
  load: async ({ get, place }) => {
    const { max_id } = place.query;
    const { body, next } = await get<Tag[]>("/api/v1/followed_tags", { limit: 100, max_id });
    return { names: body.map(({ name }) => name), next };
  },
  View: ({ data: { names, next } }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("followed_tags.title")} />
        {names.length === 0 ? (
          <Empty
            text={t("followed_tags.empty")}
            next={{ href: "/explore/tags", text: "empty.tags" }}
          />
        ) : (
          <ul class="rows">
            {names.map((name) => (
              <li key={name}>
                <a class="row-link" href={`/tags/${encodeURIComponent(name)}`}>
                  <Icon name="hash" /> <bdi>{name}</bdi>
                </a>
                <FollowTag name={name} isFollowing />
              </li>
            ))}
          </ul>
        )}
        <More next={next} text="followed_tags.more" />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("followed_tags.title"), isHidden: true }),
};
