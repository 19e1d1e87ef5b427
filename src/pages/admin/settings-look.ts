// Sets how the server looks: its banner, icon and logo, and the colour of links and buttons.

import { readFile } from "node:fs/promises";
import type { Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { UploadedFile } from "../../platform/http/uploaded-file.ts";
import type { Server } from "../../platform/http/server.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import { says } from "../../platform/text/texts.ts";
import {
  SITE_PICTURE_BYTES,
  removeSitePicture,
  setSitePicture,
} from "../../domain/staff/moderation/look.ts";
import { PICTURE_KINDS, pictureOf } from "../../domain/base/settings/pictures.ts";
import { allSettings } from "../../domain/base/settings/settings.ts";
import type { PictureKind, Settings } from "../../domain/base/settings/settings.ts";
import { carryOut, formsOf, staffForm } from "./forms.ts";
import { staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { SETTINGS, SETTINGS_ACTS, sendSettingsPage } from "./settings-frame.ts";
import { saveTopic, topicForms } from "./settings.ts";

const LOOK = `${SETTINGS}/look`;

/** Built-in pictures, used where nothing was uploaded. */
const BUILT_IN = { banner: "/preview.png", icon: "/icons/96.png", logo: "/assets/logo.svg" };

const picturePart = ({ app, t }: Staff, set: Partial<Settings>, kind: PictureKind): Part => {
  const picture = pictureOf(set, kind);
  const src = picture
    ? fileUrl(app.config.site, picture.files.at(kind === "banner" ? 0 : -1)!.key)
    : BUILT_IN[kind];
  const name = t(`staff.look.${kind}`);
  const types = t("staff.look.types", { count: SITE_PICTURE_BYTES / 1024 ** 2 });
  return {
    panel: [
      {
        heading: { plain: name },
        badge: picture
          ? { badge: "staff.look.own", kind: "good" }
          : { badge: "staff.look.builtin" },
      },
      { picture: src, alt: name, kind },
      {
        form: {
          action: `${LOOK}/${kind}`,
          isUpload: true,
          of: kind,
          fields: [
            {
              name: "picture",
              label: "staff.look.file",
              type: "file",
              accept: "image/png,image/jpeg,image/webp,image/avif,image/gif",
              hint: { plain: `${t(`staff.look.${kind}_hint`)} ${types}` },
            },
          ],
          submit: [
            {
              label: "staff.look.upload",
              spoken: ["staff.look.upload_of", { name }],
            },
          ],
        },
      },
      picture && {
        acts: [{ action: `${LOOK}/${kind}/remove`, label: "staff.remove", of: name, kind: "bad" }],
      },
    ],
  };
};

const show: Show = async (context) => {
  const set = await allSettings(context.app);
  return sendSettingsPage(context, "look", [
    ...PICTURE_KINDS.map((kind) => picturePart(context, set, kind)),
    { panel: [{ heading: "staff.look.colour" }, ...topicForms(context, "look", set)] },
  ]);
};

const upload = (kind: PictureKind) => async (context: Staff) => {
  const file = (context.request.body as Record<string, unknown>)["picture"];
  if (!(file instanceof UploadedFile)) throw new Unprocessable(says("staff.look.choose"));
  if (file.size > SITE_PICTURE_BYTES)
    throw new Unprocessable(says("staff.look.large", { count: SITE_PICTURE_BYTES / 1024 ** 2 }));
  await setSitePicture(context.app, context.actor, kind, await readFile(file.path));
};

export const lookPages = (pages: Server, app: App): void => {
  pages.get(LOOK, staffPage(app, SETTINGS_ACTS, show));
  pages.post(LOOK, staffForm(app, SETTINGS_ACTS, saveTopic("look"), show));
  const take = formsOf(pages, app, LOOK, SETTINGS_ACTS, show);
  for (const kind of PICTURE_KINDS) {
    const path = `${LOOK}/${kind}`;
    const remove = carryOut(removeSitePicture, () => kind);
    take(path, "staff.look.uploaded", upload(kind), "picture");
    take(`${path}/remove`, "staff.look.removed", remove);
  }
};
