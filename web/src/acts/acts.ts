// Actions of a member on posts: shown at once, sent, and taken back where the server refuses.

import type { Status } from "../api/entities.ts";
import type { Send } from "../api/send.ts";
import { changeStatus, keepStatus } from "../store/store.ts";
import type { Store, StoredStatus } from "../store/store.ts";
import { withAnswer } from "./event.ts";
import type { EventAnswer } from "./event.ts";

export type Doing = { send: Send; store: Store };

type Fields = Record<string, string>;
type Change = (status: StoredStatus, fields: Fields) => Partial<StoredStatus>;

const counted = (count: number, isOn: boolean): number => Math.max(0, count + (isOn ? 1 : -1));

const answered = ({ event }: StoredStatus, answer: EventAnswer | null): Partial<StoredStatus> =>
  event ? { event: withAnswer(event, answer) } : {};

/** Changes that a post shows as soon as a member acts. */
const CHANGES: Record<string, Change> = {
  favourite: (status) => ({
    favourited: true,
    favourites_count: counted(status.favourites_count, true),
  }),
  unfavourite: (status) => ({
    favourited: false,
    favourites_count: counted(status.favourites_count, false),
  }),
  reblog: (status) => ({ reblogged: true, reblogs_count: counted(status.reblogs_count, true) }),
  unreblog: (status) => ({ reblogged: false, reblogs_count: counted(status.reblogs_count, false) }),
  bookmark: () => ({ bookmarked: true }),
  unbookmark: () => ({ bookmarked: false }),
  pin: () => ({ pinned: true }),
  unpin: () => ({ pinned: false }),
  mute: () => ({ muted: true }),
  unmute: () => ({ muted: false }),
  "event/answer": (status, { answer }) => answered(status, answer as EventAnswer),
  "event/answer/delete": (status) => answered(status, null),
};

/** How many acts on each post have no answer yet. */
const underWay = new Map<string, number>();

export const isBeingActedOn = (id: string): boolean => underWay.has(id);

const count = (id: string, by: 1 | -1): void => {
  const left = (underWay.get(id) ?? 0) + by;
  if (left > 0) underWay.set(id, left);
  else underWay.delete(id);
};

/** Throws ApiError, after the post is shown as before again. */
export const actOnStatus = async (
  { send, store }: Doing,
  act: string,
  id: string,
  fields: Fields = {},
): Promise<void> => {
  const before = store.statuses.get(id)?.value;
  changeStatus(store, id, (status) => CHANGES[act]?.(status, fields) ?? {});
  const method = act.endsWith("/delete") ? "DELETE" : "POST";
  const path = `/api/v1/statuses/${id}/${act.replace(/\/delete$/, "")}`;
  const hasFields = Object.keys(fields).length > 0;
  count(id, 1);
  try {
    const { body } = await send<Status>(method, path, hasFields ? { body: fields } : undefined);
    keepStatus(store, body);
  } catch (error) {
    if (before) changeStatus(store, id, () => before);
    throw error;
  } finally {
    count(id, -1);
  }
};
