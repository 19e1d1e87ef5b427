// Presents lists as the JSON entity. https://docs.joinmastodon.org/entities/List/

import type { ListRow } from "./tables.ts";

export const listEntity = ({ id, title, replies_policy, exclusive }: ListRow) => ({
  id,
  title,
  replies_policy,
  exclusive,
});
