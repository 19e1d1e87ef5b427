// Exports and imports files of blocked and allowed servers; an import first shows what would change.

import { readFile } from "node:fs/promises";
import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { DomainError, Unprocessable } from "../../platform/errors.ts";
import { uploads } from "../../platform/http/body.ts";
import { UploadedFile } from "../../platform/http/uploaded-file.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { decodeText } from "../../platform/text/decode.ts";
import { says } from "../../platform/text/texts.ts";
import type { Key } from "../../platform/text/texts.ts";
import { writeAllowCsv, writeDomainCsv } from "../../domain/base/blocklists/csv.ts";
import { allDomainAllows, allDomainBlocks } from "../../domain/base/blocklists/lists.ts";
import {
  importDomainBlocks,
  planDomainAllows,
  startAllowImport,
  startDomainImport,
} from "../../domain/staff/moderation/import-domains.ts";
import { formField } from "../../domain/people/users/pages/cookies.ts";
import { numberText } from "../../platform/text/figures.ts";
import { problemOf, staffForm } from "./forms.ts";
import { entered, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { checkbox, choices } from "./components.ts";
import { FILES, SEVERITY_NAMES, serverTabs } from "./server-parts.ts";

/** Bytes of a form's field: about 20,000 servers. */
const MAX_BYTES = 1_000_000;
/** Names that are shown of each kind. */
const SHOWN = 200;

const DONE: Record<string, Key> = {
  started: "network.files.done.started",
  nothing: "network.files.done.nothing",
};

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

type Part = { label: Key; count: number; names: readonly string[] };

const part = ({ t, language }: Staff, { label, count, names }: Part): Html | null =>
  count === 0
    ? null
    : html`<h3>${t(label)}: ${numberText(language, count)}</h3>
        ${
          names.length > 0 &&
          html`<p class="soft">
            ${names.slice(0, SHOWN).join(", ")}${names.length > SHOWN && " …"}
          </p>`
        }`;

type Preview = { parts: Part[]; changes: number; refused: string[] };

const previewBlocks = async (context: Staff, text: string): Promise<Preview> => {
  const { app, actor, t } = context;
  const options = { dryRun: true, overwrite: overwrites(context) };
  const plan = await importDomainBlocks(app, actor, text, options);
  const names = (entries: typeof plan.added) =>
    entries.map(({ domain, severity }) => `${domain} (${t(SEVERITY_NAMES[severity])})`);
  const { added, changed, left, unchanged, covered, refused } = plan;
  return {
    changes: added.length + changed.length,
    refused,
    parts: [
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
    parts: [
      { label: "network.files.added", count: added.length, names: added },
      { label: "network.files.unchanged", count: unchanged, names: [] },
    ],
  };
};

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

const previewPart = (context: Staff, text: string, preview: Preview): Html => {
  const { app, request, reply, t } = context;
  const { parts, changes, refused } = preview;
  const unread = { label: "network.files.refused" as const, count: refused.length, names: refused };
  return html`<section class="panel preview">
    <h2>${t("network.files.preview")}</h2>
    ${[...parts, unread].map((row) => part(context, row))}
    ${
      changes > 0 &&
      html`<form method="post" action="${FILES}/import" enctype="multipart/form-data">
        ${formField(app, request, reply)} ${hidden("list", isAllows(context) ? "allows" : "blocks")}
        ${overwrites(context) && hidden("overwrite", "1")} ${hidden("data", text)}
        <button class="button inline">${t("network.files.carry_out", { count: changes })}</button>
      </form>`
    }
  </section>`;
};

const uploadForm = (context: Staff): Html => {
  const { app, request, reply, t } = context;
  const kinds = [
    { value: "blocks", label: t("network.files.blocks") },
    { value: "allows", label: t("network.files.allows") },
  ];
  return html`<section class="panel">
    <h2>${t("network.files.read_in")}</h2>
    <form method="post" action="${FILES}/preview" enctype="multipart/form-data">
      ${formField(app, request, reply)}
      ${choices("list", t("network.files.what"), kinds, isAllows(context) ? "allows" : "blocks")}
      <div class="field">
        <label for="file">${t("network.files.file")}</label>
        <input type="file" id="file" name="file" required accept=".csv,.txt,text/csv,text/plain" />
        <p class="hint">${t("network.lists.format")}</p>
      </div>
      <div class="choices">
        ${checkbox("overwrite", t("network.files.overwrite"), overwrites(context))}
      </div>
      <button class="button inline">${t("network.files.look")}</button>
    </form>
  </section>`;
};

const exportPart = ({ t }: Staff): Html =>
  html`<section class="panel">
    <h2>${t("network.files.take_out")}</h2>
    <ul>
      <li><a href="${FILES}/blocked.csv" download>${t("network.files.blocks")}</a></li>
      <li><a href="${FILES}/allowed.csv" download>${t("network.files.allows")}</a></li>
    </ul>
    <p class="soft">${t("network.files.about")}</p>
  </section>`;

const showWith =
  (preview: HtmlValue): Show =>
  async (context, problem) =>
    sendAdmin(context, {
      title: context.t("network.servers.title"),
      problem,
      done: DONE,
      body: html`${serverTabs(context, FILES)} ${preview} ${uploadForm(context)}
      ${exportPart(context)}`,
    });

const show = showWith(null);

/** Shows the page again, with what the file would change. */
const showPreview: Show = async (context) => {
  try {
    const text = await textOf(context);
    const preview = await (isAllows(context) ? previewAllows : previewBlocks)(context, text);
    return await showWith(previewPart(context, text, preview))(context);
  } catch (error) {
    if (!(error instanceof DomainError) || error.meaning !== "invalid") throw error;
    return show(context, problemOf(context.t, error));
  }
};

const carryOut = async (context: Staff): Promise<string> => {
  const { app, actor } = context;
  const text = await textOf(context);
  const count = isAllows(context)
    ? await startAllowImport(app, actor, text)
    : await startDomainImport(app, actor, text, { overwrite: overwrites(context) });
  return `${FILES}?done=${count > 0 ? "started" : "nothing"}`;
};

const sendCsv = ({ reply }: Staff, name: string, text: string): FastifyReply =>
  reply
    .header("content-type", "text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}"`)
    .header("cache-control", "private, no-store")
    .send(text);

export const domainFilePages = (pages: Server, app: App): void => {
  pages.get(FILES, staffPage(app, ["domain_blocks.read"], show));
  pages.get(
    `${FILES}/blocked.csv`,
    staffPage(app, ["domain_blocks.read"], async (context) =>
      sendCsv(context, "domain_blocks.csv", writeDomainCsv(await allDomainBlocks(app))),
    ),
  );
  pages.get(
    `${FILES}/allowed.csv`,
    staffPage(app, ["domain_allows.read"], async (context) => {
      const domains = (await allDomainAllows(app)).map(({ domain }) => domain);
      return sendCsv(context, "domain_allows.csv", writeAllowCsv(domains));
    }),
  );
  const config = uploads(1);
  pages.post(
    `${FILES}/preview`,
    { config },
    staffPage(app, ["domain_blocks.write", "domain_allows.write"], showPreview),
  );
  pages.post(
    `${FILES}/import`,
    { config },
    staffForm(app, ["domain_blocks.write", "domain_allows.write"], carryOut, show),
  );
};
