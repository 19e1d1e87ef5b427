// Actions of a member on an announcement: dismissing it, reacting to it.

import type { Announcement } from "../api/entities.ts";
import { changeAnnouncement, dismissAnnouncement } from "../store/announcements.ts";
import type { Doing } from "./acts.ts";

const PATH = "/api/v1/announcements";

/** `act` is `dismiss`, `reactions/NAME` or `reactions/NAME/delete`. */
export const actOnAnnouncement = async (
  { send }: Doing,
  act: string,
  id: string,
): Promise<void> => {
  if (act === "dismiss") {
    const showAgain = dismissAnnouncement(id);
    try {
      await send("POST", `${PATH}/${id}/dismiss`);
    } catch (error) {
      showAgain();
      throw error;
    }
    return;
  }
  const reaction = act.replace(/\/delete$/, "");
  await send(act === reaction ? "PUT" : "DELETE", `${PATH}/${id}/${reaction}`);
  const { body } = await send<Announcement[]>("GET", PATH);
  for (const each of body) if (!each.read) changeAnnouncement(each.id, each);
};
