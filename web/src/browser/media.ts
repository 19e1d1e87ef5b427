// Opens pictures in the viewer, whose code is loaded with the first.

import type { App } from "../app.ts";
import { isPlainClick } from "../window/plain-click.ts";
import { shown } from "./shown.ts";
import { say } from "../window/messages.ts";
import type { Media, Viewed } from "../viewer/viewer.tsx";
import { withTexts } from "../texts/texts.ts";

type Base = Omit<App, "place">;

/** Returns the media of the post that contains the picture, from this one on. */
const ofPost = ({ store }: Base, link: HTMLElement): Viewed | null => {
  const id = link.closest<HTMLElement>("[data-status]")?.dataset["status"] ?? "";
  const status = store.statuses.get(id)?.peek();
  const quoted = status?.quote && "quoted_status" in status.quote && status.quote.quoted_status;
  const media = [status, quoted || undefined]
    .map((each) => each?.media_attachments ?? [])
    .find((list) => list.some((each) => each.id === link.dataset["media"]));
  if (!media) return null;
  const index = media.findIndex((each) => each.id === link.dataset["media"]);
  return { media: [...media], index, statusId: id };
};

/** Returns a picture that is in no post, but in a profile. */
const alone = (link: HTMLAnchorElement): Viewed => {
  const description = link.querySelector("img")?.alt || null;
  const picture: Media = { id: "", type: "image", url: link.href, preview_url: null, description };
  return { media: [picture], index: 0 };
};

export const listenToPictures = (base: Base): void => {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest<HTMLAnchorElement>("a[data-media]");
    if (!link || event.defaultPrevented || !isPlainClick(event)) return;
    const viewed = link.dataset["media"] ? ofPost(base, link) : alone(link);
    if (!viewed) return;
    event.preventDefault();
    link.focus({ preventScroll: true });
    const app = { ...base, place: shown.value!.place };
    withTexts(import("../viewer/viewer.tsx"))
      .then(({ openViewer }) => openViewer(app, viewed))
      .catch(() => say(base.t("fault.text")));
  });
};
