// Actions of a member on an announcement: dismissing it, reacting to it.

import type { Announcement } from "../api/entities.ts";
import { announcements, changeAnnouncement } from "../store/announcements.ts";
import type { Doing } from "./acts.ts";

const PATH = "/api/v1/announcements";

/** `act` is `dismiss`, `react/NAME` or `unreact/NAME`. */
export const actOnAnnouncement = async (
  { send }: Doing,
  act: string,
  id: string,
): Promise<void> => {
  const [verb, name] = act.split("/", 2);
  if (verb === "dismiss") {
    const before = announcements.peek();
    changeAnnouncement(id, null);
    try {
      await send("POST", `${PATH}/${id}/dismiss`);
    } catch (error) {
      announcements.value = before;
      throw error;
    }
    return;
  }
  await send(verb === "react" ? "PUT" : "DELETE", `${PATH}/${id}/reactions/${name}`);
  const { body } = await send<Announcement[]>("GET", PATH);
  for (const each of body) if (!each.read) changeAnnouncement(each.id, each);
};
