// Reactions with emojis, as other servers send them, with how many people each is from.

import type { Reaction } from "../api/entities.ts";
import { useApp } from "../app.ts";

export const Reactions = ({ reactions }: { reactions: readonly Reaction[] | undefined }) => {
  const { t } = useApp();
  if (!reactions?.length) return null;
  return (
    <ul class="reactions" aria-label={t("post.reactions")}>
      {reactions.map(({ name, count, url }) => (
        <li key={url ?? name}>
          {url ? <img class="emoji" src={url} alt={`:${name}:`} title={`:${name}:`} /> : name}{" "}
          {count}
        </li>
      ))}
    </ul>
  );
};
