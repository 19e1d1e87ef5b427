// Actions of a member on people: shown at once, sent, and taken back where the server refuses.

import type { Relationship } from "../api/entities.ts";
import { changeRelationship, keepRelationship } from "../store/store.ts";
import type { Doing } from "./acts.ts";

type Fields = Record<string, unknown>;

/**
 * Changes of a relationship shown as soon as a member acts. If the person is locked, the answer says that the follow
 * was requested.
 */
const CHANGES: Record<string, Partial<Relationship>> = {
  follow: { following: true },
  unfollow: {
    following: false,
    requested: false,
    notifying: false,
    endorsed: false,
    languages: null,
  },
  mute: { muting: true },
  unmute: { muting: false, muting_notifications: false },
  block: { blocking: true, following: false, requested: false, followed_by: false },
  unblock: { blocking: false },
  endorse: { endorsed: true },
  unendorse: { endorsed: false },
  remove_from_followers: { followed_by: false },
};

const OPTIONS: Record<string, (value: string) => Partial<Relationship>> = {
  reblogs: (value) => ({ showing_reblogs: value === "true" }),
  replies: (value) => ({ showing_replies: value === "true" }),
  daily_limit: (value) => ({ daily_limit: Number(value) || null }),
  notify: (value) => ({ notifying: value === "true" }),
  comment: (note) => ({ note }),
};

const optionsOf = (fields: Fields): Partial<Relationship> =>
  Object.assign(
    {},
    ...Object.entries(fields).map(([name, value]) => OPTIONS[name]?.(String(value))),
  ) as Partial<Relationship>;

/** Shows a person who has to accept as requested, not as followed. */
const shownAtOnce = ({ store }: Doing, act: string, id: string): Partial<Relationship> => {
  const isFollowed = store.relationships.get(id)?.value.following;
  const asksFirst = act === "follow" && !isFollowed && store.accounts.get(id)?.value.locked;
  return asksFirst ? { requested: true } : (CHANGES[act] ?? {});
};

/** Adds the member to a profile's count of followers, or removes them. */
const countFollower = ({ store }: Doing, id: string, change: number): void => {
  const account = store.accounts.get(id);
  if (!account || change === 0) return;
  const { followers_count: count } = account.peek();
  account.value = { ...account.peek(), followers_count: Math.max(0, count + change) };
};

/** Throws ApiError, after everything is shown as before again. */
export const actOnAccount = async (
  doing: Doing,
  act: string,
  id: string,
  fields: Fields = {},
): Promise<void> => {
  const { send, store } = doing;
  const before = store.relationships.get(id)?.value;
  changeRelationship(store, id, { ...shownAtOnce(doing, act, id), ...optionsOf(fields) });
  try {
    const path = `/api/v1/accounts/${id}/${act}`;
    const { body } = await send<Relationship>("POST", path, { body: fields });
    keepRelationship(store, body);
    countFollower(doing, id, Number(body.following) - Number(before?.following ?? body.following));
  } catch (error) {
    if (before) changeRelationship(store, id, before);
    throw error;
  }
};
