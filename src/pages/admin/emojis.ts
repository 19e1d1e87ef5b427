// Manages the server's own emojis: adds one or a pack of them, and changes those that are ticked.

import { asTyped } from "../../platform/command-name.ts";
import { readFile } from "node:fs/promises";
import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { uploads } from "../../platform/http/body.ts";
import { UploadedFile } from "../../platform/http/uploaded-file.ts";
import type { Server } from "../../platform/http/server.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import { html, raw } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { says } from "../../platform/text/texts.ts";
import { AT_ONCE, OWN_EMOJI_LIMITS as LIMITS } from "../../domain/base/emojis/limits.ts";
import { everyEmoji } from "../../domain/base/emojis/own.ts";
import type { Imported } from "../../domain/base/emojis/own.ts";
import type { CustomEmojiRow } from "../../domain/base/emojis/tables.ts";
import { changeEmojis, createEmoji, importEmojis } from "../../domain/staff/moderation/server.ts";
import type { EmojiChange } from "../../domain/staff/moderation/server.ts";
import { formField } from "../../domain/people/users/pages/cookies.ts";
import { inputField, notice } from "../../domain/people/users/pages/components.ts";
import { staffForm } from "./forms.ts";
import { entered, enteredAt, form, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, badge, checkbox, empty, select, tabs } from "./components.ts";
import { tickedEmojis } from "./ticked.ts";

export const EMOJIS = "/admin/emojis";
export const EMOJI_ACTS = ["emojis.write"] as const;
const PAGE = 100;

const DONE = {
  added: "staff.emojis.added",
  saved: "staff.emojis.saved",
  removed: "staff.emojis.removed",
} as const;

export const emojiTabs = ({ t }: Staff, here: string): Html =>
  tabs(t("staff.section.custom_emojis"), here, [
    [EMOJIS, t("staff.emojis.own")],
    [`${EMOJIS}/remote`, t("staff.emojis.remote")],
  ]);

/** Draws the result of adding several. */
export const importedPart = ({ t }: Staff, { added, skipped, failed }: Imported): Html => {
  const counts = [
    t("staff.emojis.count_added", { count: added }),
    t("staff.emojis.count_skipped", { count: skipped }),
    t("staff.emojis.count_failed", { count: failed.length }),
  ];
  return html`${notice(counts.join(" "), failed.length > 0 ? "bad" : "good")}
  ${
    failed.length > 0 &&
    html`<ul>
      ${failed.map(({ name, why, said }) => html`<li>${name}: ${said ? t(said.key, said.values) : why}</li>`)}
    </ul>`
  }`;
};

const categoryInput = ({ t }: Staff, id: string, value: string): Html =>
  inputField({
    name: "category",
    id,
    label: t("staff.emojis.category"),
    value,
    optional: true,
    maxlength: LIMITS.category,
  });

const fileInput = (id: string, label: string, accept: string, hint: string): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      type="file"
      id="${id}"
      name="file"
      required
      accept="${accept}"
      aria-describedby="${id}-hint"
    />
    <p class="hint" id="${id}-hint">${hint}</p>
  </div>`;

const uploadForm = ({ app, request, reply }: Staff, action: string, content: HtmlValue): Html =>
  html`<form method="post" action="${action}" enctype="multipart/form-data">
    ${formField(app, request, reply)} ${content}
  </form>`;

const addForms = (context: Staff): Html => {
  const { t } = context;
  const single = enteredAt(context, EMOJIS);
  const pack = enteredAt(context, `${EMOJIS}/pack`);
  const isRefused = context.request.method === "POST";
  return html`${addPart(
    t("staff.emojis.add"),
    isRefused && single["shortcode"] !== undefined,
    uploadForm(
      context,
      EMOJIS,
      html`${inputField({ name: "shortcode", label: t("staff.emojis.shortcode"), value: single["shortcode"] ?? "", maxlength: LIMITS.shortcode.max, hint: t("staff.emojis.shortcode_hint") })}
        ${fileInput("picture", t("staff.emojis.picture"), "image/png,image/gif,image/webp,image/apng,image/avif", t("staff.emojis.picture_hint", { count: LIMITS.bytes / 1024 }))}
        ${categoryInput(context, "category", single["category"] ?? "")}
        <button class="button inline">${t("staff.add")}</button>`,
    ),
  )}
  ${addPart(
    t("staff.emojis.add_pack"),
    isRefused && pack["prefix"] !== undefined,
    uploadForm(
      context,
      `${EMOJIS}/pack`,
      html`${fileInput("pack", t("staff.emojis.pack"), ".zip,.tar,.gz,.tgz", t("staff.emojis.pack_hint", { count: AT_ONCE.pack, command: asTyped("rookery emojis import") }))}
        <div class="pair">
          ${inputField({ name: "prefix", label: t("staff.emojis.prefix"), value: pack["prefix"] ?? "", optional: true, maxlength: 40, hint: t("staff.emojis.prefix_hint") })}
          ${categoryInput(context, "pack-category", pack["category"] ?? "")}
        </div>
        <div class="choices">
          ${checkbox("overwrite", t("staff.emojis.overwrite"), pack["overwrite"] === "1")}
        </div>
        <button class="button inline">${t("staff.add")}</button>`,
    ),
  )}`;
};

const item = ({ app, t }: Staff, row: CustomEmojiRow, isTicked: boolean): Html => {
  const { shortcode, category, disabled, visible_in_picker: isOffered } = row;
  const id = `emoji_${shortcode}`;
  return html`<li>
    <div class="check">
      <input type="checkbox" id="${id}" name="${id}" value="1" ${isTicked && raw("checked ")} />
      <label for="${id}">
        <img
          class="emoji large"
          src="${fileUrl(app.config.site, row.file_key)}"
          alt=""
          loading="lazy"
        />
        <span class="what"
          ><strong>:${shortcode}:</strong>
          <span
            >${category ?? t("staff.emojis.no_category")}
            ${disabled && badge(t("staff.emojis.disabled"), "bad")}
            ${!isOffered && badge(t("staff.emojis.unlisted"))}</span
          ></span
        >
      </label>
    </div>
  </li>`;
};

const NONE = "-";

type Filters = { q: string; category: string; state: string; page: number; all: boolean };

const filtersOf = (context: Staff): Filters => {
  const { q = "", in: category = "", state = "", page = "1", all } = entered(context);
  const text = q.trim().replaceAll(":", "").toLowerCase();
  const number = /^\d{1,3}$/.test(page) ? Math.max(1, Number(page)) : 1;
  return { q: text, category, state, page: number, all: all === "1" };
};

const isIn =
  ({ q, category, state }: Filters) =>
  (row: CustomEmojiRow): boolean =>
    row.shortcode.toLowerCase().includes(q) &&
    (category === "" || (row.category ?? NONE) === category) &&
    (state === "" || row.disabled === (state === "disabled"));

const filterForm = ({ t }: Staff, all: readonly CustomEmojiRow[], filters: Filters): Html => {
  const names = [...new Set(all.flatMap(({ category }) => category ?? []))];
  const categories = [
    { value: "", label: t("staff.emojis.any") },
    { value: NONE, label: t("staff.emojis.no_category") },
    ...names.map((name) => ({ value: name, label: name })),
  ];
  const states = [
    { value: "", label: t("staff.emojis.any") },
    { value: "enabled", label: t("staff.emojis.enabled") },
    { value: "disabled", label: t("staff.emojis.disabled") },
  ];
  return html`<form method="get" action="${EMOJIS}" role="search">
    <div class="filters">
      ${inputField({ name: "q", label: t("staff.emojis.shortcode"), id: "q", value: filters.q, optional: true, maxlength: 200 })}
      ${select("in", t("staff.emojis.category"), categories, filters.category)}
      ${select("state", t("staff.emojis.state"), states, filters.state)}
      <button class="button">${t("staff.search")}</button>
    </div>
  </form>`;
};

const linkTo = ({ q, category, state }: Filters, page: number, all = false): string =>
  `${EMOJIS}?${new URLSearchParams({
    ...(q && { q }),
    ...(category && { in: category }),
    ...(state && { state }),
    page: String(page),
    ...(all && { all: "1" }),
  })}`;

const pager = ({ t }: Staff, filters: Filters, count: number): HtmlValue => {
  const { page } = filters;
  const last = Math.ceil(count / PAGE);
  if (last <= 1) return null;
  return html`<p class="pager">
    ${page > 1 ? html`<a href="${linkTo(filters, page - 1)}">${t("staff.previous")}</a>` : html`<span></span>`}
    <span class="soft">${t("staff.page_of", { page, last })}</span>
    ${page < last ? html`<a href="${linkTo(filters, page + 1)}">${t("staff.next")}</a>` : html`<span></span>`}
  </p>`;
};

/** Draws the buttons for ticked emojis. */
const actButtons = ({ t }: Staff): Html => {
  const act = (value: string, label: string, kind: string) =>
    html`<button class="button ${kind}" name="act" value="${value}">${label}</button>`;
  return html`<div class="bulk" role="group" aria-label="${t("staff.emojis.ticked")}">
    <strong aria-hidden="true">${t("staff.emojis.ticked")}</strong>
    <div class="buttons">
      ${act("enable", t("staff.emojis.enable"), "plain")}
      ${act("disable", t("staff.emojis.disable"), "plain")}
      ${act("delete", t("staff.emojis.delete"), "bad")}
    </div>
    <div class="buttons">
      <label for="new-category">${t("staff.emojis.new_category")}</label>
      <input type="text" id="new-category" name="category" maxlength="${LIMITS.category}" />
      ${act("category", t("staff.emojis.set_category"), "plain")}
    </div>
  </div>`;
};

const listPart = (context: Staff, rows: readonly CustomEmojiRow[], filters: Filters): Html => {
  const { t } = context;
  const { page, all } = filters;
  const shown = rows.slice((page - 1) * PAGE, page * PAGE);
  if (shown.length === 0) return empty(t("staff.emojis.none"));
  const ticked = entered(context);
  return html`<p class="count-line">
      <span class="soft">${t("staff.emojis.count", { count: rows.length })}</span>
      <a href="${linkTo(filters, page, !all)}"
        >${t(all ? "staff.emojis.tick_none" : "staff.emojis.tick_all")}</a
      >
    </p>
    ${form(
      context,
      `${EMOJIS}/ticked`,
      html`<ul class="rows emoji-rows">
          ${shown.map((row) => item(context, row, all || ticked[`emoji_${row.shortcode}`] === "1"))}
        </ul>
        ${actButtons(context)}`,
    )}
    ${pager(context, filters, rows.length)}`;
};

const show = async (context: Staff, problem?: string, imported?: Imported) => {
  const filters = filtersOf(context);
  const all = await everyEmoji(context.app);
  return sendAdmin(context, {
    title: context.t("staff.section.custom_emojis"),
    problem,
    done: DONE,
    body: html`${emojiTabs(context, EMOJIS)} ${imported && importedPart(context, imported)}
    ${addForms(context)} ${all.length > 0 && filterForm(context, all, filters)}
    ${listPart(context, all.filter(isIn(filters)), filters)}`,
  });
};

const showEmojis = (context: Staff, problem?: string): Promise<FastifyReply> =>
  show(context, problem);

const fileOf = ({ request }: Staff): UploadedFile => {
  const { file } = request.body as Record<string, unknown>;
  if (!(file instanceof UploadedFile)) throw new Unprocessable(says("staff.emojis.no_file"));
  return file;
};

const add = async (context: Staff): Promise<string> => {
  const { app, actor } = context;
  const { shortcode = "", category = "" } = entered(context);
  const file = fileOf(context);
  if (file.size > LIMITS.bytes)
    throw new Unprocessable(says("staff.emojis.large", { count: LIMITS.bytes / 1024 }));
  await createEmoji(app, actor, {
    shortcode: shortcode.trim().replace(/^:|:$/g, ""),
    bytes: await readFile(file.path),
    category: category.trim() || null,
    visible: true,
  });
  return `${EMOJIS}?done=added`;
};

const addPack = async (context: Staff): Promise<FastifyReply> => {
  const { app, actor } = context;
  const { prefix = "", category = "", overwrite } = entered(context);
  const { path, filename: name } = fileOf(context);
  const imported = await importEmojis(
    app,
    actor,
    { path, name },
    {
      prefix: prefix.trim(),
      suffix: "",
      category: category.trim() || (overwrite === "1" ? undefined : null),
      visible: true,
      overwrite: overwrite === "1",
      limit: AT_ONCE.pack,
    },
  );
  return show(context, undefined, imported);
};

const changeOf = (context: Staff): EmojiChange => {
  const { act, category = "" } = entered(context);
  if (act === "delete") return "delete";
  if (act === "category") return { category: category.trim() || null };
  if (act === "enable" || act === "disable") return { disabled: act === "disable" };
  throw new Unprocessable(says("staff.emojis.no_act"));
};

const change = async (context: Staff): Promise<string> => {
  const what = changeOf(context);
  await changeEmojis(context.app, context.actor, tickedEmojis(context), what);
  return `${EMOJIS}?done=${what === "delete" ? "removed" : "saved"}`;
};

export const emojiPages = (pages: Server, app: App): void => {
  const taken = { config: uploads(1) };
  pages.get(EMOJIS, staffPage(app, EMOJI_ACTS, showEmojis));
  pages.post(EMOJIS, taken, staffForm(app, EMOJI_ACTS, add, showEmojis));
  pages.post(`${EMOJIS}/pack`, taken, staffForm(app, EMOJI_ACTS, addPack, showEmojis));
  pages.post(`${EMOJIS}/ticked`, staffForm(app, EMOJI_ACTS, change, showEmojis));
};
