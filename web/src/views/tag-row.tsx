// Draws a hashtag in a list: its name, and how many people used it lately.

import type { Tag } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { TagName } from "../elements/tag-name.tsx";

/** Counts the people of today and yesterday. */
const peopleOf = ({ history }: Tag): number =>
  history.slice(0, 2).reduce((sum, { accounts }) => sum + Number(accounts), 0);

/** Draws the last seven days as a line, the newest at the end. */
const Curve = ({ history }: Pick<Tag, "history">) => {
  const uses = history.map((day) => Number(day.uses)).toReversed();
  const most = Math.max(1, ...uses);
  const step = 60 / Math.max(1, uses.length - 1);
  const points = uses.map((count, index) => `${index * step},${22 - (20 * count) / most}`);
  return (
    <svg class="curve" viewBox="0 0 60 24" width="60" height="24" aria-hidden="true">
      <polyline points={points.join(" ")} />
    </svg>
  );
};

export const TagRow = ({ tag }: { tag: Tag }) => {
  const { t } = useApp();
  const count = peopleOf(tag);
  return (
    <li class="tag-row">
      <a href={`/tags/${encodeURIComponent(tag.name)}`}>
        <strong>
          <TagName name={tag.name} />
        </strong>
        {count > 0 && <span class="soft small">{t("explore.tag_people", { count })}</span>}
      </a>
      {tag.history.length > 1 && <Curve history={tag.history} />}
    </li>
  );
};
