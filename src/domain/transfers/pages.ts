// Two pages of a person's settings: what they can take along, and what they bring from elsewhere.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { DomainError } from "../../platform/errors.ts";
import { BODY_LIMIT } from "../../platform/http/body.ts";
import { sendStored } from "../../platform/http/media.ts";
import type { Server } from "../../platform/http/server.ts";
import { isoDate } from "../../platform/ids/index.ts";
import { html, raw } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { readTexts } from "../oauth/parameters.ts";
import { formField, visitor } from "../people/pages/cookies.ts";
import { askedAsMember, doneNote, noteOf, sendSettings } from "../people/pages/member.ts";
import type { Asked } from "../people/pages/member.ts";
import { errorMessage, goTo, notice, radio } from "../people/pages/parts.ts";
import { whenText } from "../people/pages/when.ts";
import { getArchive, getNewestArchive, mayAskAgainAt, requestArchive } from "./archive/request.ts";
import { exportFile, exportTotals } from "./export.ts";
import type { ExportKind } from "./export.ts";
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
import { ARCHIVE_UPLOAD } from "./posts/limits.ts";
import { downloadHeaders, LINES_UPLOAD, sendDownload, sendFailures } from "./routes.ts";
import { KINDS } from "./tables.ts";
import type { ImportRow, Kind } from "./tables.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;

const EXPORT = "/settings/export";
const IMPORT = "/settings/import";

const NAMES: Record<ExportKind | "posts", string> = {
  posts: "Posts",
  following: "Accounts you follow",
  followers: "Your followers",
  lists: "Lists",
  blocks: "Blocked accounts",
  mutes: "Muted accounts",
  domain_blocks: "Blocked domains",
  bookmarks: "Bookmarks",
  filters: "Filters",
};

/** As Mastodon's, where it has one. */
const DOWNLOADS: [path: string, kind: ExportKind][] = [
  ["/settings/exports/follows.csv", "following"],
  ["/settings/exports/followers.csv", "followers"],
  ["/settings/exports/lists.csv", "lists"],
  ["/settings/exports/blocks.csv", "blocks"],
  ["/settings/exports/mutes.csv", "mutes"],
  ["/settings/exports/domain_blocks.csv", "domain_blocks"],
  ["/settings/exports/bookmarks.csv", "bookmarks"],
  ["/settings/exports/custom_filters.json", "filters"],
];

const count = (number: number): string => new Intl.NumberFormat("en").format(number);

const megabytes = (bytes: string | null): string => `${Math.ceil(Number(bytes) / 1024 / 1024)} MB`;

const archivePart = async (asked: Asked, fault?: string): Promise<Html> => {
  const { app, request, reply, who } = asked;
  const row = await getNewestArchive(app, who.accountId);
  const again = row && mayAskAgainAt(row);
  return html`<p>
      All your posts, boosts and files, what you favourited and bookmarked, and your profile, in the
      form of Mastodon’s archives. You can request one a week.
    </p>
    ${fault && notice(fault, "bad")} ${noteOf(doneNote(request, ARCHIVE_DONE))}
    ${
      row?.state === "done" &&
      html`<ul class="rows">
        <li>
          <div class="what">
            <strong>Archive of ${whenText(row.created_at)}</strong
            ><span>${megabytes(row.bytes)}, removed ${whenText(again!)}</span>
          </div>
          <a class="button plain" href="${EXPORT}/archive/${row.id}" download>Download</a>
        </li>
      </ul>`
    }
    ${row?.state === "waiting" && html`<p>Your archive is being made. This can take some hours.</p>`}
    ${
      (!again || again <= app.clock.now()) &&
      html`<form method="post" action="${EXPORT}/archive">
        ${formField(app, request, reply)}
        <button class="button">Request an archive</button>
      </form>`
    }`;
};

const ARCHIVE_DONE = { requested: "Your archive has been requested." };

const takeRequest = async (asked: Asked) => {
  const { app, reply, who } = asked;
  await requestArchive(app, who.accountId);
  return goTo(reply, `${EXPORT}?done=requested`);
};

const sendArchive = async ({ app, request, reply, who }: Asked) => {
  const { key, madeAt } = await getArchive(app, who.accountId, (request as ById).params.id);
  const name = `archive-${who.username}-${isoDate(madeAt)}.tar.gz`;
  // In parts too: it may be large, and the line slow.
  const headers = downloadHeaders({ name, type: "application/gzip" });
  return sendStored(app, request, reply, { key, headers });
};

const showExport = async (asked: Asked) => {
  const { app, reply, who } = asked;
  const totals = await exportTotals(app, who.accountId);
  const row = ([path, kind]: (typeof DOWNLOADS)[number]) =>
    html`<li>
      <div class="what"><strong>${NAMES[kind]}</strong><span>${count(totals[kind])}</span></div>
      <a class="button plain" href="${path}" download aria-label="Download ${NAMES[kind]}"
        >Download</a
      >
    </li>`;
  return sendSettings(reply, {
    title: "Export",
    body: html`<p>
        These files can be imported on this server, on Mastodon and on other servers that read its
        files.
      </p>
      <ul class="rows">
        ${DOWNLOADS.map(row)}
      </ul>
      <h2>Archive of your posts</h2>
      ${await archivePart(asked)}`,
  });
};

const STATES: Record<ImportRow["state"], string> = {
  new: "Waiting for you to start it",
  unpacking: "Reading the file",
  running: "In progress",
  removing: "Removing what is not in the file",
  done: "Finished",
};

const importLine = (row: ImportRow): Html =>
  html`<li>
    <a class="to" href="${IMPORT}/${row.id}"
      ><strong>${NAMES[row.kind]}</strong
      ><span
        >${STATES[row.state]}: ${count(row.done)} of
        ${count(row.total)}${row.failed > 0 && `, ${count(row.failed)} failed`}</span
      ></a
    >
  </li>`;

const kindOption = (kind: Kind, chosen: string): Html =>
  html`<option value="${kind}" ${kind === chosen && raw("selected ")}>${NAMES[kind]}</option>`;

type Shown = { kind?: string; mode?: string; fault?: string; archiveFault?: string };

const archiveForm = ({ app, request, reply }: Asked, { archiveFault: fault }: Shown): Html =>
  html`<p>
      Bring your own posts from the archive of another account. They keep their dates, nobody is
      notified, and they are not sent to other servers. Boosts, private mentions and posts of others
      are left out.
    </p>
    <form method="post" action="${IMPORT}/posts" enctype="multipart/form-data">
      ${formField(app, request, reply)} ${fault && notice(fault, "bad")}
      <div class="field">
        <label for="archive">Archive</label>
        <input type="file" id="archive" name="archive" required accept=".zip,.gz,.tgz,.tar" />
        <p class="hint">A .zip or .tar.gz file, up to ${ARCHIVE_UPLOAD / 1024 / 1024} MB.</p>
      </div>
      <button class="button">Import posts</button>
    </form>`;

const importForm = ({ app, request, reply }: Asked, { kind = "", mode, fault }: Shown): Html =>
  html`<form method="post" action="${IMPORT}" enctype="multipart/form-data">
    ${formField(app, request, reply)} ${fault && notice(fault, "bad")}
    <div class="field">
      <label for="kind">What the file holds</label>
      <select id="kind" name="kind">
        <option value="">As its name says</option>
        ${KINDS.map((one) => kindOption(one, kind))}
      </select>
    </div>
    <div class="field">
      <label for="file">File</label>
      <input type="file" id="file" name="file" required accept=".csv,.json,text/csv" />
    </div>
    <fieldset class="checks">
      <legend>What you have already</legend>
      ${radio("mode", "merge", "Keep it and add what is in the file", mode !== "overwrite")}
      ${radio(
        "mode",
        "overwrite",
        "Replace it: remove what is not in the file",
        mode === "overwrite",
      )}
    </fieldset>
    <button class="button">Upload</button>
  </form>`;

const DONE = { cancelled: "The import has been cancelled. What was imported until then stays." };

const showImports = async (asked: Asked, shown: Shown = {}) => {
  const { app, request, reply, who } = asked;
  const rows = await listImports(app, who.accountId);
  return sendSettings(reply, {
    title: "Import",
    status: (shown.fault ?? shown.archiveFault) ? 422 : 200,
    body: html`${noteOf(doneNote(request, DONE))}
      <p>
        Bring the lists of another account along: the CSV files of an export, here or on another
        server.
      </p>
      ${importForm(asked, shown)}
      <h2>Posts</h2>
      ${archiveForm(asked, shown)}
      ${
        rows.length > 0 &&
        html`<h2>Your imports</h2>
          <ul class="rows">
            ${rows.map(importLine)}
          </ul>`
      }`,
  });
};

const takeImport = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  const { kind = "", mode = "merge" } = readTexts(request.body);
  const { file } = request.body as { file?: { filename?: string } };
  const found = KINDS.find((one) => one === kind) ?? guessKind(file?.filename ?? "");
  const again = (fault: string) => showImports(asked, { kind, mode, fault });
  if (!file) return again("Choose a file to import.");
  if (!found) return again("The name of the file does not say what it holds: please choose.");
  try {
    const input = { kind: found, file, overwrite: mode === "overwrite", start: false };
    return goTo(reply, `${IMPORT}/${await createImport(app, who, input)}`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return again(errorMessage(error));
  }
};

const takeArchive = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  try {
    const id = await createArchiveImport(app, who, (request.body as { archive?: unknown }).archive);
    return goTo(reply, `${IMPORT}/${id}`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return showImports(asked, { archiveFault: errorMessage(error) });
  }
};

const own = ({ app, request, who }: Asked): Promise<ImportRow> =>
  getImport(app, who.accountId, (request as ById).params.id);

const facts = (row: ImportRow): Html =>
  html`<ul class="rows">
    <li>
      <div class="what"><strong>${row.file_name}</strong><span>${NAMES[row.kind]}</span></div>
      <span>${count(row.total)} in the file</span>
    </li>
    <li>
      <div class="what"><strong>${STATES[row.state]}</strong></div>
      <span
        >${count(row.done)}
        imported${row.failed > 0 && `, ${count(row.failed)} failed`}${
          row.removed > 0 && `, ${count(row.removed)} removed`
        }</span
      >
    </li>
  </ul>`;

const startForm = ({ app, request, reply }: Asked, row: ImportRow): Html =>
  html`${
      row.overwrite &&
      notice(`${NAMES[row.kind]} that are not in the file will be removed at the end.`, "bad")
    }
    <form method="post" action="${IMPORT}/${row.id}/start">
      ${formField(app, request, reply)}
      <button class="button">Start the import</button>
    </form>`;

const cancelForm = ({ app, request, reply }: Asked, row: ImportRow): Html =>
  html`<form method="post" action="${IMPORT}/${row.id}/cancel">
    ${formField(app, request, reply)}
    <button class="button plain">Cancel</button>
  </form>`;

const progress = (row: ImportRow): Html =>
  html`<p>
    <progress
      max="${row.total}"
      value="${row.done + row.failed}"
      aria-label="Progress of the import"
    ></progress>
  </p>`;

/** The first ones; the file has all. */
const failedPart = async ({ app }: Asked, row: ImportRow): Promise<Html> => {
  const lines = await firstFailed(app, row);
  return html`<ul class="small">
      ${lines.map(({ name, fault }) => html`<li><code>${name}</code> <span class="soft">${fault}</span></li>`)}
    </ul>
    <p><a href="${IMPORT}/${row.id}/failures">Download what could not be imported</a></p>`;
};

const showImport = async (asked: Asked) => {
  const { reply } = asked;
  const row = await own(asked);
  const isRunning = row.state !== "new" && row.state !== "done";
  // Without a script: the page is loaded again.
  if (isRunning) reply.header("refresh", "10");
  return sendSettings(reply, {
    title: "Import",
    below: html`<a href="${IMPORT}">Back to your imports</a>`,
    body: html`${facts(row)} ${row.fault && notice(row.fault, "bad")}
    ${
      isRunning &&
      html`${progress(row)}
        <p class="soft small">
          You can close this page. Servers that do not answer are asked again, which can take some
          hours.
        </p>`
    }
    ${row.state === "done" && row.finished_at && html`<p>Finished ${whenText(row.finished_at)}.</p>`}
    ${row.failed > 0 && (await failedPart(asked, row))}
    ${row.state === "new" && startForm(asked, row)}
    ${row.state !== "done" && cancelForm(asked, row)}`,
  });
};

const takeStart = async (asked: Asked) => {
  const row = await own(asked);
  await startImport(asked.app, row);
  return goTo(asked.reply, `${IMPORT}/${row.id}`);
};

const takeCancel = async (asked: Asked) => {
  await cancelImport(asked.app, await own(asked));
  return goTo(asked.reply, `${IMPORT}?done=cancelled`);
};

export const transferPages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app);
    pages.get(EXPORT, page(showExport));
    for (const [path, kind] of DOWNLOADS) {
      pages.get(
        path,
        page(async ({ reply, who }) =>
          sendDownload(reply as FastifyReply, await exportFile(app, kind, who.accountId)),
        ),
      );
    }
    pages.get(
      IMPORT,
      page((asked) => showImports(asked)),
    );
    pages.post(IMPORT, { config: { upload: LINES_UPLOAD } }, page(takeImport));
    // Nobody but a member may send so much.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!(await visitor(app, request))) await refuse(request, reply);
    };
    const refuse = page(async ({ reply }) => reply);
    const upload = { body: ARCHIVE_UPLOAD + BODY_LIMIT, file: ARCHIVE_UPLOAD };
    pages.post(`${IMPORT}/posts`, { config: { upload }, onRequest }, page(takeArchive));
    pages.post(`${EXPORT}/archive`, page(takeRequest));
    pages.get(`${EXPORT}/archive/:id`, page(sendArchive));
    pages.get(`${IMPORT}/:id`, page(showImport));
    pages.get(
      `${IMPORT}/:id/failures`,
      page(async (asked) => sendFailures(app, asked.reply, await own(asked))),
    );
    pages.post(`${IMPORT}/:id/start`, page(takeStart));
    pages.post(`${IMPORT}/:id/cancel`, page(takeCancel));
  };
