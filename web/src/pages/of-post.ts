// Defines what the pages around one post share: its address, and how the post is loaded.

import type { Status } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useApp } from "../app.ts";
import { keepStatus } from "../store/store.ts";
import { postPath } from "../views/shown-status.ts";
import type { Loading } from "./page.ts";

export type OfPost = { id: string };

export const POST_PATH = "/@:acct/:id(\\d+)";

/** Loads the post of the address; its author has to match. */
export const loadPost = async ({ get, store, place }: Loading): Promise<Status> => {
  const { acct = "", id = "" } = place.params;
  const { body: status } = await get<Status>(`/api/v1/statuses/${id}`);
  if (status.account.acct.toLowerCase() !== acct.toLowerCase()) throw new ApiError(404, "");
  keepStatus(store, status);
  return status;
};

export const usePost = (id: string) => {
  const { store } = useApp();
  const status = store.statuses.get(id)!.value;
  return { status, path: postPath(status) };
};
