// Actions of a member on notifications and requests.

import { signal } from "@preact/signals";
import type { Relationship } from "../api/entities.ts";
import { keepRelationship } from "../store/store.ts";
import type { Doing } from "./acts.ts";

export type Decision = "accept" | "dismiss";

/** Requests that were decided in this window, by their ids. */
export const decisions = signal<ReadonlyMap<string, Decision>>(new Map());

/** Answers a follow request: `act` is `authorize` or `reject`. */
export const actOnFollowRequest = async (
  { send, store }: Doing,
  act: string,
  id: string,
): Promise<void> => {
  const { body } = await send<Relationship>("POST", `/api/v1/follow_requests/${id}/${act}`);
  keepRelationship(store, body);
};

/** Answers a request for notifications: `act` is `accept` or `dismiss`. */
export const decideRequest = async ({ send }: Doing, act: string, id: string): Promise<void> => {
  const before = decisions.value;
  decisions.value = new Map(before).set(id, act as Decision);
  try {
    await send("POST", `/api/v1/notifications/requests/${id}/${act}`);
  } catch (error) {
    decisions.value = before;
    throw error;
  }
};

/** Marks all notifications up to this one as read, in every app. */
export const markRead = async ({ send, store }: Doing, _act: string, id: string): Promise<void> => {
  const before = store.unread.value;
  store.unread.value = 0;
  try {
    const body = { notifications: { last_read_id: id } };
    await send("POST", "/api/v1/markers", { body });
  } catch (error) {
    store.unread.value = before;
    throw error;
  }
};
