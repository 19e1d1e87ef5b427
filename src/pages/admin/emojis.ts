// Manages the server's own emojis: adds one or a pack of them, and changes those that are ticked.

import { readFile } from "node:fs/promises";
import type { FastifyReply } from "fastify";
import type { EmojiItem, Part } from "../../../web/src/served/part-pages.ts";
import { asTyped } from "../../platform/command-name.ts";
import type { App } from "../../platform/app.ts";
import { Unprocessable, checkAll, faultOf } from "../../platform/errors.ts";
import { uploads } from "../../platform/http/body.ts";
import { UploadedFile } from "../../platform/http/uploaded-file.ts";
import type { Server } from "../../platform/http/server.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import { says } from "../../platform/text/texts.ts";
import type { Key } from "../../platform/text/texts.ts";
import { AT_ONCE, OWN_EMOJI_LIMITS as LIMITS } from "../../domain/base/emojis/limits.ts";
import { checkNames, checkSize, everyEmoji } from "../../domain/base/emojis/own.ts";
import type { Imported } from "../../domain/base/emojis/own.ts";
import type { CustomEmojiRow } from "../../domain/base/emojis/tables.ts";
import { changeEmojis, createEmoji, importEmojis } from "../../domain/staff/moderation/server.ts";
import type { EmojiChange } from "../../domain/staff/moderation/server.ts";
import { text } from "./page-parts.ts";
import { formsOf, staffForm } from "./forms.ts";
import { entered, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { tickedEmojis } from "./ticked.ts";
import { byName } from "../../../texts/lists.ts";

export const EMOJIS = "/admin/emojis";
export const EMOJI_ACTS = ["emojis.write"] as const;
const PAGE = 100;

const DONE = { saved: "staff.emojis.saved", removed: "staff.emojis.removed" } as const;

export const emojiTabs = (shown: string): Part => ({
  title: "staff.section.custom_emojis",
  shown,
  tabs: [
    [EMOJIS, "staff.emojis.own"],
    [`${EMOJIS}/remote`, "staff.emojis.remote"],
  ],
});

/** Returns the result of adding several. */
export const importedParts = ({ t }: Staff, { added, skipped, failed }: Imported): Part[] => {
  const counts = [
    t("staff.emojis.count_added", { count: added }),
    t("staff.emojis.count_skipped", { count: skipped }),
    t("staff.emojis.count_failed", { count: failed.length }),
  ];
  const items = failed.map(({ name, why, said }) =>
    t("words.pair", { name, value: said ? t(said.key, said.values) : why }),
  );
  return [
    { notice: counts.join(" "), kind: failed.length > 0 ? "bad" : "good" },
    ...(failed.length > 0 ? [{ items }] : []),
  ];
};

export const CATEGORY = text("category", "staff.emojis.category", LIMITS.category, {
  optional: true,
});

const FILE = { name: "file", type: "file" } as const;

const addForms = (): Part[] => [
  {
    add: {
      action: EMOJIS,
      title: "staff.emojis.add",
      isUpload: true,
      fields: [
        text("shortcode", "staff.emojis.shortcode", LIMITS.shortcode.max, {
          hint: "staff.emojis.shortcode_hint",
        }),
        {
          ...FILE,
          label: "staff.emojis.picture",
          accept: "image/png,image/gif,image/webp,image/apng,image/avif",
          hint: ["staff.emojis.picture_hint", { count: LIMITS.bytes / 1024 }],
        },
        CATEGORY,
      ],
    },
  },
  {
    add: {
      action: `${EMOJIS}/pack`,
      title: "staff.emojis.add_pack",
      isUpload: true,
      of: "pack",
      fields: [
        {
          ...FILE,
          label: "staff.emojis.pack",
          accept: ".zip,.tar,.gz,.tgz",
          hint: [
            "staff.emojis.pack_hint",
            { count: AT_ONCE.pack, command: asTyped("rookery emojis import") },
          ],
        },
        {
          pair: [
            text("prefix", "staff.emojis.prefix", 40, {
              optional: true,
              hint: "staff.emojis.prefix_hint",
            }),
            CATEGORY,
          ],
        },
        { boxes: [{ name: "overwrite", label: "staff.emojis.overwrite" }] },
      ],
    },
  },
];

const itemOf = ({ app, t }: Staff, row: CustomEmojiRow, isTicked: boolean): EmojiItem => {
  const { shortcode, category, disabled, visible_in_picker: isOffered } = row;
  return {
    shortcode,
    picture: fileUrl(app.config.site, row.file_key),
    isTicked,
    about: [
      category ?? t("staff.emojis.no_category"),
      disabled && { badge: "staff.emojis.disabled", kind: "bad" },
      !isOffered && { badge: "staff.emojis.unlisted" },
    ],
  };
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

const filterPart = ({ language }: Staff, all: readonly CustomEmojiRow[]): Part => {
  const used = [...new Set(all.flatMap(({ category }) => category ?? []))];
  const names = byName(language, used, (name) => name);
  const any = ["", "staff.emojis.any"] as const;
  const categories = names.map((name) => [name, { plain: name }] as const);
  return {
    filters: {
      action: EMOJIS,
      fields: [
        { name: "q", label: "staff.emojis.shortcode", optional: true, max: 200 },
        {
          name: "in",
          label: "staff.emojis.category",
          options: [any, [NONE, "staff.emojis.no_category"], ...categories],
        },
        {
          name: "state",
          label: "staff.emojis.state",
          options: [
            any,
            ["enabled", "staff.emojis.enabled"],
            ["disabled", "staff.emojis.disabled"],
          ],
        },
      ],
    },
  };
};

const linkTo = ({ q, category, state }: Filters, page: number, all = false): string =>
  `${EMOJIS}?${new URLSearchParams({
    ...(q && { q }),
    ...(category && { in: category }),
    ...(state && { state }),
    page: String(page),
    ...(all && { all: "1" }),
  })}`;

const pager = ({ t }: Staff, filters: Filters, count: number): Part | null => {
  const { page } = filters;
  const last = Math.ceil(count / PAGE);
  if (last <= 1) return null;
  return {
    links: [
      page > 1 && { link: linkTo(filters, page - 1), text: t("staff.previous") },
      { soft: t("staff.page_of", { page, last }) },
      page < last && { link: linkTo(filters, page + 1), text: t("staff.next") },
    ],
    kind: "pager",
  };
};

/** Returns the buttons for ticked emojis. */
const actsPart = (): Part => {
  const act = (value: string, label: Key, kind: "plain" | "bad" = "plain") =>
    ({ name: "act", value, label, kind }) as const;
  return {
    submits: [
      act("enable", "staff.emojis.enable"),
      act("disable", "staff.emojis.disable"),
      act("delete", "staff.emojis.delete", "bad"),
    ],
    title: "staff.emojis.ticked",
    field: { ...CATEGORY, label: "staff.emojis.new_category" },
    with: act("category", "staff.emojis.set_category"),
  };
};

const listParts = (
  context: Staff,
  rows: readonly CustomEmojiRow[],
  filters: Filters,
): (Part | null)[] => {
  const { t } = context;
  const { page, all } = filters;
  const shown = rows.slice((page - 1) * PAGE, page * PAGE);
  if (shown.length === 0) return [{ none: "staff.emojis.none" }];
  const link = linkTo(filters, page, !all);
  return [
    {
      links: [
        { soft: t("staff.emojis.count", { count: rows.length }) },
        { link, text: t(all ? "staff.emojis.tick_none" : "staff.emojis.tick_all") },
      ],
      kind: "count-line",
    },
    {
      form: {
        action: `${EMOJIS}/ticked`,
        before: [{ emojis: shown.map((row) => itemOf(context, row, all)) }, actsPart()],
        fields: [],
        submit: [],
      },
    },
    pager(context, filters, rows.length),
  ];
};

const show = async (context: Staff, imported?: Imported) => {
  const filters = filtersOf(context);
  const all = await everyEmoji(context.app);
  return sendAdmin(context, {
    done: DONE,
    parts: [
      emojiTabs(EMOJIS),
      ...(imported ? importedParts(context, imported) : []),
      ...addForms(),
      all.length > 0 && filterPart(context, all),
      ...listParts(context, all.filter(isIn(filters)), filters),
    ],
  });
};

const showEmojis: Show = (context) => show(context);

const fileOf = ({ request }: Staff): UploadedFile => {
  const { file } = request.body as Record<string, unknown>;
  if (!(file instanceof UploadedFile)) throw faultOf("file", says("staff.emojis.no_file"));
  return file;
};

const pictureOf = (context: Staff): UploadedFile => {
  const file = fileOf(context);
  checkSize(file.size);
  return file;
};

const add = async (context: Staff): Promise<void> => {
  const { app, actor } = context;
  const { shortcode = "", category = "" } = entered(context);
  const names = {
    shortcode: shortcode.trim().replace(/^:|:$/g, ""),
    category: category.trim() || null,
  };
  const [file] = checkAll(
    () => pictureOf(context),
    () => checkNames(names),
  );
  await createEmoji(app, actor, { ...names, bytes: await readFile(file.path), visible: true });
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
  return show(context, imported);
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
  formsOf(pages, app, EMOJIS, EMOJI_ACTS, showEmojis)(EMOJIS, "staff.emojis.added", add, "file");
  pages.post(`${EMOJIS}/pack`, taken, staffForm(app, EMOJI_ACTS, addPack, showEmojis, "file"));
  pages.post(`${EMOJIS}/ticked`, staffForm(app, EMOJI_ACTS, change, showEmojis));
};
