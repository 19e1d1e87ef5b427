// Presents posts to the staff, with their authors whatever was decided about them.

import type { Inline, Part } from "../../../web/src/served/part-pages.ts";
import type { Status } from "../../../web/src/api/entities.ts";
import { asTyped } from "../../platform/command-name.ts";
import type { App } from "../../platform/app.ts";
import { webUrl } from "../../platform/text/web-url.ts";
import { accountEntity } from "../../domain/people/accounts/present.ts";
import { mediaRejectedAmong } from "../../domain/base/blocklists/domains.ts";
import { mediaUrl } from "../../domain/base/media/present.ts";
import type { MediaView } from "../../domain/base/media/tables.ts";
import type { SeenStatus } from "../../domain/posts/statuses/tables.ts";
import { statusEntity } from "../../domain/posts/statuses/present.ts";
import { visibilityName } from "../../domain/posts/statuses/visibility.ts";
import { postUrl } from "../components.ts";
import { outside } from "./page-parts.ts";
import type { Staff } from "./frame.ts";

type Site = App["config"]["site"];

/** Returns the servers of these posts whose media are rejected here. */
export const mediaRejectedOf = (app: App, views: SeenStatus[]): Promise<ReadonlySet<string>> =>
  mediaRejectedAmong(
    app,
    views.flatMap(({ account }) => account.domain ?? []),
  );

/** Returns a link to a file of a server whose media are rejected; it is fetched only when the staff asks for it. */
const fileLink = ({ app, t }: Staff, media: MediaView): Inline => {
  const url = webUrl(mediaUrl(media, app.config.site, true));
  const type = t(`staff.media.${media.type}`);
  if (!url) return { soft: `(${type})` };
  const { description } = media;
  const what = description ? t("words.pair", { name: type, value: description }) : type;
  return outside(url, t("staff.media.hidden", { what }));
};

/** Returns the entity of a post with its author's name and picture, whatever was decided about the author. */
const postEntity = (site: Site, view: SeenStatus, isRejected: boolean) =>
  ({
    ...statusEntity(view, site),
    account: accountEntity({ ...view.account, suspended_at: null }, site),
    ...(isRejected && { media_attachments: [], card: null }),
  }) as unknown as Status;

/** Returns a whole post; `rejected` are servers whose media are rejected. */
export const postPart = (staff: Staff, view: SeenStatus, rejected: ReadonlySet<string>): Part => {
  const { app, t } = staff;
  const isRejected = view.account.domain !== null && rejected.has(view.account.domain);
  const at = outside(postUrl(view), view.created_at);
  const marks = [t(visibilityName(view)), view.sensitive && t("staff.sensitive")];
  return {
    post: postEntity(app.config.site, view, isRejected),
    files: isRejected ? view.media.map((media) => fileLink(staff, media)) : [],
    about: { joined: [at, ...marks] },
  };
};

/** Returns a command as it can be typed on the server's machine. */
export const commandText = (command: string): Inline => ({ code: asTyped(command) });
