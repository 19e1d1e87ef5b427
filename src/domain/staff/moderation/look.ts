// Uploads and removes the pictures of the server for the staff: its banner, icon and logo.

import type { App } from "../../../platform/app.ts";
import { storePictures } from "../../../platform/pictures/store.ts";
import { addFilesToDelete } from "../../../platform/storage/queries.ts";
import { NotFound, Unprocessable } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { PICTURE_PIXELS } from "../../base/media/limits.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { PICTURE_OUTPUTS, pictureOf } from "../../base/settings/pictures.ts";
import { getSettings, setSetting } from "../../base/settings/settings.ts";
import type { PictureKind, SitePicture } from "../../base/settings/settings.ts";
import { requireMay } from "../../base/roles/acts.ts";
import { recorded } from "../../base/audit/recorded.ts";

/** Bytes of an upload. */
export const SITE_PICTURE_BYTES = 8 * 1024 * 1024;

const entryOf = (kind: PictureKind, to: string) => ({
  action: "setting.update" as const,
  target: { type: "setting", id: null, label: `${kind}_picture` },
  details: { to },
});

/** Replaces a picture; the files of the one before are deleted once nothing refers to them. */
const replace = (app: App, actor: Actor, kind: PictureKind, picture: SitePicture | null) =>
  recorded(app, actor, "settings.write", async (tx) => {
    const name = `${kind}_picture` as const;
    const before = pictureOf(await getSettings(app, [name], tx), kind);
    if (!before && !picture) throw new NotFound(says("staff.look.none"));
    await addFilesToDelete(tx, before?.files.map(({ key }) => key) ?? []);
    await setSetting(app, name, picture, tx);
    return { entry: entryOf(kind, picture ? "uploaded" : "removed") };
  });

/** Throws Unprocessable, with one sentence, for a file that is no picture. */
export const setSitePicture = async (
  app: App,
  actor: Actor,
  kind: PictureKind,
  bytes: Buffer,
): Promise<void> => {
  requireMay(actor, "settings.write");
  if (bytes.length > SITE_PICTURE_BYTES) {
    throw new Unprocessable(says("staff.look.large", { count: SITE_PICTURE_BYTES / 1024 ** 2 }));
  }
  const { stored, blurhash } = await storePictures(app, "site", bytes, {
    by: "site",
    maxPixels: PICTURE_PIXELS,
    maxFrames: 1,
    outputs: [...PICTURE_OUTPUTS[kind]],
    blurhash: kind === "banner",
  });
  const files = stored.toReversed().map(({ key, width, height }) => ({ key, width, height }));
  try {
    await replace(app, actor, kind, { files, blurhash });
  } catch (error) {
    await app.storage.delete(files.map(({ key }) => key));
    throw error;
  }
};

export const removeSitePicture = (app: App, actor: Actor, kind: PictureKind): Promise<void> =>
  replace(app, actor, kind, null);
