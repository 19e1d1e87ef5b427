// Presents lists as the JSON entity. https://docs.joinmastodon.org/entities/List/

import { fieldsOf } from "./fields.ts";
import type { ListRow } from "./tables.ts";

export const listEntity = (list: ListRow) => ({ id: list.id, ...fieldsOf(list) });
