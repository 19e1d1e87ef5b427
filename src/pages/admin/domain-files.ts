// Exports and imports files of blocked and allowed servers; an import first shows what would change.

import { readFile } from "node:fs/promises";
import type { Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { uploads } from "../../platform/http/body.ts";
import { UploadedFile } from "../../platform/http/uploaded-file.ts";
import { sendCsv } from "../../platform/http/line-files.ts";
import type { Server } from "../../platform/http/server.ts";
import { decodeText } from "../../platform/text/decode.ts";
import { says } from "../../platform/text/texts.ts";
import type { Key } from "../../platform/text/texts.ts";
import { numberText } from "../../platform/text/figures.ts";
import { writeAllowCsv, writeDomainCsv } from "../../domain/base/blocklists/csv.ts";
import { allDomainAllows, allDomainBlocks } from "../../domain/base/blocklists/lists.ts";
import {
  importDomainBlocks,
  planDomainAllows,
  startAllowImport,
  startDomainImport,
} from "../../domain/staff/moderation/import-domains.ts";
import { staffForm } from "./forms.ts";
import { entered, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { serverTabs } from "./page-parts.ts";
import { FILES, SEVERITY_NAMES, someOf } from "./server-parts.ts";

const DONE: Record<string, Key> = {
  started: "network.files.done.started",
  nothing: "network.files.done.nothing",
};

/** Bytes of a form's field: about 20,000 servers. */
const MAX_BYTES = 1_000_000;
/** Names that are shown of each kind. */
const SHOWN = 200;

const isAllows = (context: Staff): boolean => entered(context)["list"] === "allows";
const overwrites = (context: Staff): boolean => entered(context)["overwrite"] === "1";

/** Returns the uploaded file, or the text that is sent again to apply it. */
const textOf = async (context: Staff): Promise<string> => {
  const { file, data } = context.request.body as Record<string, unknown>;
  if (typeof data === "string" && data !== "") return data;
  if (!(file instanceof UploadedFile)) throw new Unprocessable(says("network.files.choose"));
  if (file.size > MAX_BYTES) throw new Unprocessable(says("network.files.too_large"));
  return decodeText(await readFile(file.path));
};

type Kind = { label: Key; count: number; names: readonly string[] };

const kindParts = ({ t, language }: Staff, { label, count, names }: Kind): Part[] => {
  if (count === 0) return [];
  return [
    { subheading: ["words.pair", { name: t(label), value: numberText(language, count) }] },
    ...(names.length > 0 ? [{ text: someOf(language, names, SHOWN), isSoft: true }] : []),
  ];
};

type Preview = { kinds: Kind[]; changes: number; refused: string[] };

const previewBlocks = async (context: Staff, text: string): Promise<Preview> => {
  const { app, actor, t } = context;
  const options = { dryRun: true, overwrite: overwrites(context) };
  const plan = await importDomainBlocks(app, actor, text, options);
  const names = (entries: typeof plan.added) =>
    entries.map(({ domain, severity }) =>
      t("words.aside", { text: domain, aside: t(SEVERITY_NAMES[severity]) }),
    );
  const { added, changed, left, unchanged, covered, refused } = plan;
  return {
    changes: added.length + changed.length,
    refused,
    kinds: [
      { label: "network.files.added", count: added.length, names: names(added) },
      { label: "network.files.changed", count: changed.length, names: names(changed) },
      { label: "network.files.left", count: left, names: [] },
      { label: "network.files.unchanged", count: unchanged, names: [] },
      { label: "network.files.covered", count: covered.length, names: covered },
    ],
  };
};

const previewAllows = async ({ app, actor }: Staff, text: string): Promise<Preview> => {
  const { added, unchanged, refused } = await planDomainAllows(app, actor, text);
  return {
    changes: added.length,
    refused,
    kinds: [
      { label: "network.files.added", count: added.length, names: added },
      { label: "network.files.unchanged", count: unchanged, names: [] },
    ],
  };
};

const previewPart = (context: Staff, text: string, preview: Preview): Part => {
  const { kinds, changes, refused } = preview;
  const unread = { label: "network.files.refused" as const, count: refused.length, names: refused };
  return {
    kind: "preview",
    panel: [
      { heading: "network.files.preview" },
      ...[...kinds, unread].flatMap((kind) => kindParts(context, kind)),
      changes > 0 && {
        form: {
          action: `${FILES}/import`,
          isUpload: true,
          hidden: {
            list: isAllows(context) ? "allows" : "blocks",
            ...(overwrites(context) && { overwrite: "1" }),
            data: text,
          },
          fields: [],
          submit: ["network.files.carry_out", { count: changes }],
        },
      },
    ],
  };
};

const uploadPart = (context: Staff): Part => {
  const list = isAllows(context) ? "allows" : "blocks";
  const file = { name: "file", label: "network.files.file", type: "file" } as const;
  return {
    panel: [
      { heading: "network.files.read_in" },
      {
        form: {
          action: `${FILES}/preview`,
          isUpload: true,
          fields: [
            {
              name: "list",
              label: "network.files.what",
              as: "radios",
              options: [
                ["blocks", "network.files.blocks"],
                ["allows", "network.files.allows"],
              ],
            },
            {
              ...file,
              accept: ".csv,.txt,text/csv,text/plain",
              hint: "network.lists.format",
            },
            { boxes: [{ name: "overwrite", label: "network.files.overwrite" }] },
          ],
          values: { list, overwrite: overwrites(context) },
          submit: "network.files.look",
        },
      },
    ],
  };
};

const exportPart = ({ t }: Staff): Part => ({
  panel: [
    { heading: "network.files.take_out" },
    {
      items: [
        { link: `${FILES}/blocked.csv`, text: t("network.files.blocks"), isFile: true },
        { link: `${FILES}/allowed.csv`, text: t("network.files.allows"), isFile: true },
      ],
    },
    { text: t("network.files.about"), isSoft: true },
  ],
});

const showWith =
  (preview: Part | null): Show =>
  async (context) =>
    sendAdmin(context, {
      done: DONE,
      parts: [serverTabs(FILES), preview, uploadPart(context), exportPart(context)],
    });

const show = showWith(null);

/** Shows the page again, with what the file would change. */
const showPreview: Show = async (context) => {
  const text = await textOf(context);
  const preview = await (isAllows(context) ? previewAllows : previewBlocks)(context, text);
  return showWith(previewPart(context, text, preview))(context);
};

const carryOut = async (context: Staff): Promise<string> => {
  const { app, actor } = context;
  const text = await textOf(context);
  const count = isAllows(context)
    ? await startAllowImport(app, actor, text)
    : await startDomainImport(app, actor, text, { overwrite: overwrites(context) });
  return `${FILES}?done=${count > 0 ? "started" : "nothing"}`;
};

export const domainFilePages = (pages: Server, app: App): void => {
  pages.get(FILES, staffPage(app, ["domain_blocks.read"], show));
  pages.get(
    `${FILES}/blocked.csv`,
    staffPage(app, ["domain_blocks.read"], async (context) =>
      sendCsv(context.reply, "domain_blocks.csv", writeDomainCsv(await allDomainBlocks(app))),
    ),
  );
  pages.get(
    `${FILES}/allowed.csv`,
    staffPage(app, ["domain_allows.read"], async (context) => {
      const domains = (await allDomainAllows(app)).map(({ domain }) => domain);
      return sendCsv(context.reply, "domain_allows.csv", writeAllowCsv(domains));
    }),
  );
  const config = uploads(1);
  pages.post(
    `${FILES}/preview`,
    { config },
    staffForm(app, ["domain_blocks.write", "domain_allows.write"], showPreview, show, "file"),
  );
  pages.post(
    `${FILES}/import`,
    { config },
    staffForm(app, ["domain_blocks.write", "domain_allows.write"], carryOut, show),
  );
};
