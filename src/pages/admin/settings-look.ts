// Sets how the server looks: its banner, icon and logo, and the colour of links and buttons.

import { readFile } from "node:fs/promises";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { uploads } from "../../platform/http/body.ts";
import { UploadedFile } from "../../platform/http/uploaded-file.ts";
import type { Server } from "../../platform/http/server.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { says } from "../../platform/text/texts.ts";
import {
  SITE_PICTURE_BYTES,
  removeSitePicture,
  setSitePicture,
} from "../../domain/staff/moderation/look.ts";
import { formField } from "../../domain/people/users/pages/cookies.ts";
import type { Faults } from "../../domain/people/users/pages/components.ts";
import { PICTURE_KINDS, pictureOf } from "../../domain/base/settings/pictures.ts";
import { allSettings } from "../../domain/base/settings/settings.ts";
import type { PictureKind, Settings } from "../../domain/base/settings/settings.ts";
import { staffForm } from "./forms.ts";
import { button, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { badge } from "./components.ts";
import { SETTINGS, SETTINGS_ACTS, sendSettingsPage } from "./settings-frame.ts";
import { saveTopic, topicForm } from "./settings.ts";

const LOOK = `${SETTINGS}/look`;

/** Built-in pictures, used where nothing was uploaded. */
const BUILT_IN = { banner: "/preview.png", icon: "/icons/96.png", logo: "/assets/logo.svg" };

const pictureForm = ({ app, request, reply, t }: Staff, kind: PictureKind): Html =>
  html`<form method="post" action="${LOOK}/${kind}" enctype="multipart/form-data">
    ${formField(app, request, reply)}
    <div class="field">
      <label for="${kind}">${t("staff.look.file")}</label>
      <input
        type="file"
        id="${kind}"
        name="picture"
        required
        aria-describedby="${kind}-hint"
        accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
      />
      <p class="hint" id="${kind}-hint">
        ${t(`staff.look.${kind}_hint`)}
        ${t("staff.look.types", { count: SITE_PICTURE_BYTES / 1024 ** 2 })}
      </p>
    </div>
    <button
      class="button inline"
      aria-label="${t("staff.look.upload_of", { name: t(`staff.look.${kind}`) })}"
    >
      ${t("staff.look.upload")}
    </button>
  </form>`;

const picturePart = (context: Staff, set: Partial<Settings>, kind: PictureKind): Html => {
  const { app, t } = context;
  const picture = pictureOf(set, kind);
  const src = picture
    ? fileUrl(app.config.site, picture.files.at(kind === "banner" ? 0 : -1)!.key)
    : BUILT_IN[kind];
  const name = t(`staff.look.${kind}`);
  return html`<section class="panel">
    <h2>
      ${name} ${picture ? badge(t("staff.look.own"), "good") : badge(t("staff.look.builtin"))}
    </h2>
    <img class="site-picture ${kind}" src="${src}" alt="${name}" />
    ${pictureForm(context, kind)}
    ${
      picture &&
      html`<div class="buttons">
        ${button(context, { action: `${LOOK}/${kind}/remove`, label: t("staff.remove"), of: name, kind: "bad" })}
      </div>`
    }
  </section>`;
};

const show = async (context: Staff, problem?: string, faults: Faults = {}) => {
  const set = await allSettings(context.app);
  return sendSettingsPage(context, "look", {
    problem,
    body: html`${PICTURE_KINDS.map((kind) => picturePart(context, set, kind))}
      <section class="panel">
        <h2>${context.t("staff.look.colour")}</h2>
        ${topicForm(context, "look", set, faults)}
      </section>`,
  });
};

const upload = (kind: PictureKind) => async (context: Staff) => {
  const file = (context.request.body as Record<string, unknown>)["picture"];
  if (!(file instanceof UploadedFile)) throw new Unprocessable(says("staff.look.choose"));
  if (file.size > SITE_PICTURE_BYTES)
    throw new Unprocessable(says("staff.look.large", { count: SITE_PICTURE_BYTES / 1024 ** 2 }));
  await setSitePicture(context.app, context.actor, kind, await readFile(file.path));
  return `${LOOK}?done=uploaded`;
};

const remove =
  (kind: PictureKind) =>
  async ({ app, actor }: Staff) => {
    await removeSitePicture(app, actor, kind);
    return `${LOOK}?done=taken`;
  };

export const lookPages = (pages: Server, app: App): void => {
  pages.get(LOOK, staffPage(app, SETTINGS_ACTS, show));
  pages.post(LOOK, staffForm(app, SETTINGS_ACTS, saveTopic("look"), show));
  for (const kind of PICTURE_KINDS) {
    const path = `${LOOK}/${kind}`;
    pages.post(path, { config: uploads(1) }, staffForm(app, SETTINGS_ACTS, upload(kind), show));
    pages.post(`${path}/remove`, staffForm(app, SETTINGS_ACTS, remove(kind), show));
  }
};
