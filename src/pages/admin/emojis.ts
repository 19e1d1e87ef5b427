// The server's own emojis: adding, hiding, sorting and removing them.

import { readFile } from "node:fs/promises";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { UploadedFile, uploads } from "../../platform/http/body.ts";
import type { Server } from "../../platform/http/server.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { OWN_EMOJI_LIMITS } from "../../domain/emojis/limits.ts";
import { everyEmoji } from "../../domain/emojis/own.ts";
import type { CustomEmojiRow } from "../../domain/emojis/tables.ts";
import { changeEmoji, createEmoji } from "../../domain/moderation/server.ts";
import type { EmojiChange } from "../../domain/moderation/server.ts";
import { formField } from "../../domain/people/pages/cookies.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { formsOf, staffForm } from "./forms.ts";
import { button, editPart, entered, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, badge, empty } from "./parts.ts";

const EMOJIS = "/admin/emojis";
const ACTS = ["emojis.write"] as const;
/** More of them are found by the search. */
const SHOWN = 200;

const DONE = {
  added: "The emoji has been added.",
  saved: "The emoji has been changed.",
  removed: "The emoji has been removed.",
};

const item = (context: Staff, row: CustomEmojiRow): Html => {
  const of = row.shortcode;
  const fields = { shortcode: of };
  const { site } = context.app.config;
  return html`<li>
    <img class="emoji large" src="${fileUrl(site, row.file_key)}" alt="" loading="lazy" />
    <div class="what">
      <strong>:${of}: ${row.disabled && badge("hidden", "bad")}</strong>
      <span>${row.category ?? "No category"}</span>
    </div>
    <div class="buttons">
      ${
        row.disabled
          ? button(context, { action: `${EMOJIS}/enable`, label: "Show", of, fields })
          : button(context, { action: `${EMOJIS}/disable`, label: "Hide", of, fields })
      }
      ${button(context, { action: `${EMOJIS}/delete`, label: "Remove", of, fields, kind: "bad" })}
    </div>
    ${editPart(
      context,
      `${EMOJIS}/category`,
      html`<input type="hidden" name="shortcode" value="${of}" />
        ${inputField({ name: "category", id: `category-${of}`, label: "Category", value: row.category ?? "", optional: true, maxlength: OWN_EMOJI_LIMITS.category })}`,
      "Category",
    )}
  </li>`;
};

const addForm = ({ app, request, reply }: Staff, fields: Partial<Record<string, string>>): Html =>
  html`<form method="post" action="${EMOJIS}" enctype="multipart/form-data">
    ${formField(app, request, reply)}
    ${inputField({ name: "shortcode", label: "Shortcode", value: fields["shortcode"] ?? "", maxlength: OWN_EMOJI_LIMITS.shortcode.max, hint: "Letters, digits and underscores; people write it between colons." })}
    <div class="field">
      <label for="picture">Picture</label>
      <input
        type="file"
        id="picture"
        name="picture"
        required
        accept="image/png,image/gif,image/webp,image/apng"
      />
      <p class="hint">PNG, GIF or WebP, at most ${OWN_EMOJI_LIMITS.bytes / 1024} KiB.</p>
    </div>
    ${inputField({ name: "category", label: "Category", value: fields["category"] ?? "", optional: true, maxlength: OWN_EMOJI_LIMITS.category })}
    <button class="button inline">Add</button>
  </form>`;

const showEmojis = async (context: Staff, problem?: string) => {
  const fields = entered(context);
  const query = (fields["q"] ?? "").trim().replaceAll(":", "").toLowerCase();
  const all = await everyEmoji(context.app);
  const rows = all.filter(
    ({ shortcode, category }) =>
      shortcode.toLowerCase().includes(query) || category?.toLowerCase().includes(query),
  );
  return sendAdmin(context, {
    title: "Custom emojis",
    problem,
    done: DONE,
    body: html`${addPart("Add an emoji", problem !== undefined || all.length === 0, addForm(context, fields))}
      <form method="get" action="${EMOJIS}" role="search">
        <div class="filters">
          ${inputField({ name: "q", label: "Search", value: fields["q"] ?? "", optional: true, maxlength: 200 })}
          <button class="button">Search</button>
        </div>
      </form>
      ${
        rows.length === 0
          ? empty("No emojis here.")
          : html`<ul class="rows">
              ${rows.slice(0, SHOWN).map((row) => item(context, row))}
            </ul>`
      }
      ${rows.length > SHOWN && empty(`${rows.length - SHOWN} more: search for them.`)}`,
  });
};

const add = async (context: Staff): Promise<string> => {
  const { app, actor, request } = context;
  const { shortcode = "", category = "" } = entered(context);
  const file = (request.body as Record<string, unknown>)["picture"];
  if (!(file instanceof UploadedFile)) throw new Unprocessable("Choose a picture.");
  if (file.size > OWN_EMOJI_LIMITS.bytes) {
    throw new Unprocessable(`The picture is larger than ${OWN_EMOJI_LIMITS.bytes / 1024} KiB.`);
  }
  await createEmoji(app, actor, {
    shortcode: shortcode.trim().replace(/^:|:$/g, ""),
    bytes: await readFile(file.path),
    category: category.trim() || null,
    visible: true,
  });
  return `${EMOJIS}?done=added`;
};

export const emojiPages = (pages: Server, app: App): void => {
  pages.get(EMOJIS, staffPage(app, ACTS, showEmojis));
  pages.post(EMOJIS, { config: uploads(1) }, staffForm(app, ACTS, add, showEmojis));
  const take = formsOf(pages, app, EMOJIS, ACTS, showEmojis);
  const change = (verb: string, done: string, what: (context: Staff) => EmojiChange) =>
    take(`${EMOJIS}/${verb}`, done, (context) =>
      changeEmoji(app, context.actor, entered(context)["shortcode"] ?? "", what(context)),
    );
  change("enable", "saved", () => ({ disabled: false }));
  change("disable", "saved", () => ({ disabled: true }));
  change("delete", "removed", () => "delete");
  change("category", "saved", (context) => ({
    category: (entered(context)["category"] ?? "").trim() || null,
  }));
};
