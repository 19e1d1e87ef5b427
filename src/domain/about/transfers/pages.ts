// Serves two pages of a person's settings: exports, and imports.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { DomainError } from "../../../platform/errors.ts";
import { BODY_LIMIT } from "../../../platform/http/body.ts";
import { formErrorText } from "../../../platform/http/error-text.ts";
import { sendStored } from "../../../platform/http/media.ts";
import type { Server } from "../../../platform/http/server.ts";
import { isoDate } from "../../../platform/ids/index.ts";
import { html, raw } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { sentence } from "../../../platform/text/texts.ts";
import type { Say } from "../../../platform/text/texts.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { formField, visitor } from "../../people/users/pages/cookies.ts";
import { askedAsMember, doneNote, EXPORT, sendSettings } from "../../people/users/pages/member.ts";
import { mayUseRights } from "../../people/users/sign-in.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo, notice, radio } from "../../people/users/pages/components.ts";
import { whenText } from "../../people/users/pages/when.ts";
import { getArchive, getNewestArchive, mayAskAgainAt, requestArchive } from "./archive/request.ts";
import { EXPORTS, exportFile, exportName, exportTotals } from "./export.ts";
import type { ExportKind } from "./export.ts";
import { faultText } from "./faults.ts";
import { guessKind } from "./formats.ts";
import {
  cancelImport,
  createArchiveImport,
  createImport,
  firstFailed,
  getImport,
  listImports,
  startImport,
} from "./import.ts";
import { wouldRemove } from "./preview.ts";
import type { WouldRemove } from "./preview.ts";
import { ARCHIVE_UPLOAD } from "./posts/limits.ts";
import { downloadHeaders, LINES_UPLOAD, sendDownload } from "../../../platform/http/line-files.ts";
import { sendFailures } from "./routes.ts";
import { KINDS } from "./tables.ts";
import type { ImportKind, ImportRow, Kind, LeftOut } from "./tables.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;

const IMPORT = "/settings/import";

/** Returns the path of a download: Mastodon's, where it has it. */
const downloadPath = (kind: ExportKind): string =>
  `/settings/exports/${kind === "following" ? "follows.csv" : exportName(kind)}`;

const nameOf = (t: Say, kind: ExportKind | ImportKind): string => t(`transfer.kind.${kind}`);

const megabytes = (bytes: string | null): number => Math.ceil(Number(bytes) / 1024 / 1024);

const archivePart = async (context: PageContext): Promise<Html> => {
  const { app, request, reply, who, t, language } = context;
  const row = await getNewestArchive(app, who.accountId);
  const again = row && mayAskAgainAt(row);
  return html`<p>${t("export.archive_about")}</p>
    ${doneNote(request, ARCHIVE_DONE)}
    ${
      row?.state === "done" &&
      html`<ul class="rows">
        <li>
          <div class="what">
            <strong
              >${sentence(t, "export.archive_of", { time: whenText(row.created_at, language) })}</strong
            ><span
              >${sentence(t, "export.archive_size", {
                size: megabytes(row.bytes),
                time: whenText(again!, language),
              })}</span
            >
          </div>
          <a class="button plain" href="${EXPORT}/archive/${row.id}" download
            >${t("export.download")}</a
          >
        </li>
      </ul>`
    }
    ${row?.state === "waiting" && html`<p>${t("export.waiting")}</p>`}
    ${
      (!again || again <= app.clock.now()) &&
      html`<form method="post" action="${EXPORT}/archive">
        ${formField(app, request, reply)}
        <button class="button">${t("export.request")}</button>
      </form>`
    }`;
};

const ARCHIVE_DONE = { requested: "export.requested" } as const;

const takeRequest = async (context: PageContext) => {
  const { app, reply, who } = context;
  await requestArchive(app, who.accountId);
  return goTo(reply, `${EXPORT}?done=requested`);
};

const sendArchive = async ({ app, request, reply, who }: PageContext) => {
  const { key, madeAt } = await getArchive(app, who.accountId, (request as ById).params.id);
  const name = `archive-${who.username}-${isoDate(madeAt)}.tar.gz`;
  // The file is sent in parts, because it may be large, and the connection slow.
  const headers = downloadHeaders({ name, type: "application/gzip" });
  return sendStored(app, request, reply, { key, headers });
};

const showExport = async (context: PageContext) => {
  const { app, reply, who, t, language } = context;
  const number = new Intl.NumberFormat(language);
  const totals = await exportTotals(app, who.accountId);
  const row = ([kind]: (typeof EXPORTS)[number]) =>
    html`<li>
      <div class="what">
        <strong>${nameOf(t, kind)}</strong><span>${number.format(totals[kind])}</span>
      </div>
      <a
        class="button plain"
        href="${downloadPath(kind)}"
        download
        aria-label="${t("export.download_of", { name: nameOf(t, kind) })}"
        >${t("export.download")}</a
      >
    </li>`;
  return sendSettings(reply, {
    title: t("export.title"),
    body: html`<p>${t("export.about")}</p>
      <ul class="rows">
        ${EXPORTS.map(row)}
      </ul>
      <h2>${t("export.archive")}</h2>
      ${await archivePart(context)}`,
  });
};

const importLine = (t: Say, row: ImportRow): Html => {
  const { id, kind, state: stage, done, total, failed } = row;
  const values = { state: t(`import.state.${stage}`), done, total, failed };
  return html`<li>
    <a class="to" href="${IMPORT}/${id}"
      ><strong>${nameOf(t, kind)}</strong><span>${row.file_name}</span
      ><span>${t(failed > 0 ? "import.progress_failed" : "import.progress", values)}</span></a
    >
  </li>`;
};

const kindOption = (t: Say, kind: Kind, chosen: string): Html =>
  html`<option value="${kind}" ${kind === chosen && raw("selected ")}>${nameOf(t, kind)}</option>`;

type Shown = { kind?: string; mode?: string; fault?: string; archiveFault?: string };

const archiveForm = (
  { app, request, reply, t }: PageContext,
  { archiveFault: fault }: Shown,
): Html =>
  html`<p>${t("import.archive_about")}</p>
    <form method="post" action="${IMPORT}/posts" enctype="multipart/form-data">
      ${formField(app, request, reply)} ${fault && notice(fault, "bad")}
      <div class="field">
        <label for="archive">${t("import.archive")}</label>
        <input
          type="file"
          id="archive"
          name="archive"
          required
          accept=".zip,.gz,.tgz,.tar,.json,.csv"
        />
        <p class="hint">${t("import.archive_hint", { size: ARCHIVE_UPLOAD / 1024 / 1024 })}</p>
      </div>
      <div class="field">
        <div class="check">
          <input type="checkbox" id="lists" name="lists" value="1" checked />
          <label for="lists">${t("import.archive_lists")}</label>
        </div>
      </div>
      <div class="field">
        <div class="check">
          <input type="checkbox" id="settings" name="settings" value="1" />
          <label for="settings">${t("import.archive_settings")}</label>
        </div>
      </div>
      <button class="button">${t("import.archive_send")}</button>
    </form>`;

const importForm = (
  { app, request, reply, t }: PageContext,
  { kind = "", mode, fault }: Shown,
): Html =>
  html`<form method="post" action="${IMPORT}" enctype="multipart/form-data">
    ${formField(app, request, reply)} ${fault && notice(fault, "bad")}
    <div class="field">
      <label for="kind">${t("import.kind")}</label>
      <select id="kind" name="kind">
        <option value="">${t("import.by_name")}</option>
        ${KINDS.map((name) => kindOption(t, name, kind))}
      </select>
    </div>
    <div class="field">
      <label for="file">${t("import.file")}</label>
      <input type="file" id="file" name="file" required accept=".csv,.json,text/csv" />
    </div>
    <fieldset class="checks">
      <legend>${t("import.existing")}</legend>
      ${radio("mode", "merge", t("import.merge"), mode !== "overwrite")}
      ${radio("mode", "overwrite", t("import.overwrite"), mode === "overwrite")}
    </fieldset>
    <button class="button">${t("import.upload")}</button>
  </form>`;

const DONE = { cancelled: "import.cancelled" } as const;

const showImports = async (context: PageContext, shown: Shown = {}) => {
  const { app, request, reply, who, t } = context;
  const rows = await listImports(app, who.accountId);
  return sendSettings(reply, {
    title: t("import.title"),
    status: (shown.fault ?? shown.archiveFault) ? 422 : 200,
    body: html`${doneNote(request, DONE)}
      <p>${t("import.about")}</p>
      ${importForm(context, shown)}
      <h2>${t("import.posts")}</h2>
      ${archiveForm(context, shown)}
      ${
        rows.length > 0 &&
        html`<h2>${t("import.own")}</h2>
          <ul class="rows">
            ${rows.map((row) => importLine(t, row))}
          </ul>`
      }`,
  });
};

const takeImport = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { kind = "", mode = "merge" } = readTexts(request.body);
  const { file } = request.body as { file?: { filename?: string } };
  const chosen = KINDS.find((name) => name === kind) ?? guessKind(file?.filename ?? "");
  const again = (fault: string) => showImports(context, { kind, mode, fault });
  if (!file) return again(context.t("import.choose"));
  if (!chosen) return again(context.t("import.which"));
  try {
    const input = { kind: chosen, file, overwrite: mode === "overwrite", start: false };
    return goTo(reply, `${IMPORT}/${await createImport(app, who, input)}`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return again(formErrorText(context.t, error));
  }
};

const takeArchive = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  try {
    const { archive: file } = request.body as { archive?: unknown };
    const { lists, settings } = readTexts(request.body);
    const besides = { lists: lists === "1", settings: settings === "1" };
    const id = await createArchiveImport(app, who, { file, besides });
    return goTo(reply, `${IMPORT}/${id}`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return showImports(context, { archiveFault: formErrorText(context.t, error) });
  }
};

const own = ({ app, request, who }: PageContext): Promise<ImportRow> =>
  getImport(app, who.accountId, (request as ById).params.id);

const facts = (t: Say, row: ImportRow): Html => {
  const { done, failed, removed } = row;
  const parts = [
    t("import.imported", { done }),
    ...(failed > 0 ? [t("import.failed", { failed })] : []),
    ...(removed > 0 ? [t("import.removed", { removed })] : []),
  ];
  return html`<ul class="rows">
    <li>
      <div class="what"><strong>${row.file_name}</strong><span>${nameOf(t, row.kind)}</span></div>
      <span>${t("import.in_file", { count: row.total })}</span>
    </li>
    <li>
      <div class="what"><strong>${t(`import.state.${row.state}`)}</strong></div>
      <span>${parts.join(", ")}</span>
    </li>
  </ul>`;
};

/** Shows what was left out of an archive. */
const leftPart = (t: Say, { left_out: leftOut }: ImportRow): Html | null => {
  const names = Object.keys(leftOut) as (keyof LeftOut)[];
  if (names.length === 0) return null;
  return html`<p>${t("import.left_out")}</p>
    <ul class="small">
      ${names.map((name) => html`<li>${t(`import.left.${name}`, { count: leftOut[name]! })}</li>`)}
    </ul>`;
};

/** Lists what would be removed, as far as there is room, before somebody starts it. */
const removalPart = (t: Say, row: ImportRow, gone: WouldRemove): Html => {
  const { count, names } = gone;
  if (count === 0) return html`<p>${t("import.removes_nothing")}</p>`;
  const more = count > names.length && html`<li>…</li>`;
  return html`${notice(t("import.will_remove", { name: nameOf(t, row.kind), count }), "bad")}
    <ul class="small">
      ${names.map((name) => html`<li><code>${name}</code></li>`)} ${more}
    </ul>`;
};

const startForm = ({ app, request, reply, t }: PageContext, row: ImportRow): Html =>
  html`<form method="post" action="${IMPORT}/${row.id}/start">
    ${formField(app, request, reply)}
    <button class="button">${t("import.start")}</button>
  </form>`;

const cancelForm = ({ app, request, reply, t }: PageContext, row: ImportRow): Html =>
  html`<form method="post" action="${IMPORT}/${row.id}/cancel">
    ${formField(app, request, reply)}
    <button class="button plain">${t("import.cancel")}</button>
  </form>`;

const progress = (t: Say, row: ImportRow): Html =>
  html`<p>
    <progress
      max="${row.total}"
      value="${row.done + row.failed}"
      aria-label="${t("import.bar")}"
    ></progress>
  </p>`;

/** Shows the first failed lines; the file has all. */
const failedPart = async ({ app, t }: PageContext, row: ImportRow): Promise<Html> => {
  const lines = await firstFailed(app, row);
  return html`<ul class="small">
      ${lines.map(({ name, fault }) => html`<li><code>${name}</code> <span class="soft">${faultText(t, fault)}</span></li>`)}
    </ul>
    <p><a href="${IMPORT}/${row.id}/failures">${t("import.failures")}</a></p>`;
};

const showImport = async (context: PageContext) => {
  const { reply, t, language } = context;
  const row = await own(context);
  const isRunning = row.state !== "new" && row.state !== "done";
  const gone = row.state === "new" ? await wouldRemove(context.app, row) : null;
  // The page is loaded again without a script.
  if (isRunning) reply.header("refresh", "10");
  return sendSettings(reply, {
    title: t("import.title"),
    below: html`<a href="${IMPORT}">${t("import.back")}</a>`,
    body: html`${facts(t, row)} ${row.fault && notice(faultText(t, row.fault), "bad")}
    ${
      isRunning &&
      html`${progress(t, row)}
        <p class="soft small">${t("import.leave")}</p>`
    }
    ${row.state === "done" && row.finished_at && html`<p>${sentence(t, "import.finished", { time: whenText(row.finished_at, language) })}</p>`}
    ${row.failed > 0 && (await failedPart(context, row))} ${leftPart(t, row)}
    ${gone && removalPart(t, row, gone)}
    ${
      row.state !== "done" &&
      html`<div class="actions">
        ${row.state === "new" && startForm(context, row)} ${cancelForm(context, row)}
      </div>`
    }`,
  });
};

const takeStart = async (context: PageContext) => {
  const row = await own(context);
  await startImport(context.app, row);
  return goTo(context.reply, `${IMPORT}/${row.id}`);
};

const takeCancel = async (context: PageContext) => {
  await cancelImport(context.app, await own(context));
  return goTo(context.reply, `${IMPORT}?done=cancelled`);
};

export const transferPages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app);
    const right = askedAsMember(app, mayUseRights);
    pages.get(EXPORT, right(showExport));
    for (const [kind] of EXPORTS) {
      pages.get(
        downloadPath(kind),
        right(async ({ reply, who }) =>
          sendDownload(reply as FastifyReply, await exportFile(app, kind, who.accountId)),
        ),
      );
    }
    pages.get(
      IMPORT,
      page((context) => showImports(context)),
    );
    pages.post(IMPORT, { config: { upload: LINES_UPLOAD } }, page(takeImport));
    // Only members may send that much.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!(await visitor(app, request))) await refuse(request, reply);
    };
    const refuse = page(async ({ reply }) => reply);
    const upload = { body: ARCHIVE_UPLOAD + BODY_LIMIT, file: ARCHIVE_UPLOAD };
    pages.post(`${IMPORT}/posts`, { config: { upload }, onRequest }, page(takeArchive));
    pages.post(`${EXPORT}/archive`, right(takeRequest));
    pages.get(`${EXPORT}/archive/:id`, right(sendArchive));
    pages.get(`${IMPORT}/:id`, page(showImport));
    pages.get(
      `${IMPORT}/:id/failures`,
      page(async (context) => sendFailures(app, context.reply, await own(context), context.t)),
    );
    pages.post(`${IMPORT}/:id/start`, page(takeStart));
    pages.post(`${IMPORT}/:id/cancel`, page(takeCancel));
  };
