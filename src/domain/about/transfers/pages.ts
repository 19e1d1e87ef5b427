// Serves two pages of a person's settings: exports, and imports.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { DomainError } from "../../../platform/errors.ts";
import { BODY_LIMIT } from "../../../platform/http/body.ts";
import { formErrorText } from "../../../platform/http/error-text.ts";
import { sendStored } from "../../../platform/http/media.ts";
import type { Server } from "../../../platform/http/server.ts";
import { isoDate } from "../../../platform/ids/index.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { visitor } from "../../people/users/pages/cookies.ts";
import { view } from "../../people/users/pages/framed.ts";
import { askedAsMember, EXPORT, sendSettings } from "../../people/users/pages/member.ts";
import { mayUseRights } from "../../people/users/sign-in.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo } from "../../people/users/pages/components.ts";
import type { Faults } from "../../people/users/pages/components.ts";
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
import { ARCHIVE_UPLOAD } from "./posts/limits.ts";
import { downloadHeaders, LINES_UPLOAD, sendDownload } from "../../../platform/http/line-files.ts";
import { sendFailures } from "./routes.ts";
import { KINDS } from "./tables.ts";
import type { ImportRow } from "./tables.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;

const IMPORT = "/settings/import";

/** Returns the path of a download: Mastodon's, where it has it. */
const downloadPath = (kind: ExportKind): string =>
  `/settings/exports/${kind === "following" ? "follows.csv" : exportName(kind)}`;

const megabytes = (bytes: string | null): number => Math.ceil(Number(bytes) / 1024 / 1024);

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

const showExport = async ({ app, reply, who, t }: PageContext) => {
  const totals = await exportTotals(app, who.accountId);
  const row = await getNewestArchive(app, who.accountId);
  const nextAt = row && mayAskAgainAt(row);
  return sendSettings(reply, {
    title: t("export.title"),
    done: ARCHIVE_DONE,
    view: view("export", {
      files: EXPORTS.map(([kind]) => ({ kind, path: downloadPath(kind), count: totals[kind] })),
      archive:
        row?.state === "done" && nextAt
          ? { id: row.id, madeAt: row.created_at, megabytes: megabytes(row.bytes), nextAt }
          : null,
      isWaiting: row?.state === "waiting",
      mayAsk: !nextAt || nextAt <= app.clock.now(),
    }),
  });
};

const DONE = { cancelled: "import.cancelled" } as const;

const showImports = async ({ app, reply, who, t }: PageContext, faults: Faults = {}) =>
  sendSettings(reply, {
    title: t("import.title"),
    done: DONE,
    faults,
    view: view("imports", {
      kinds: KINDS,
      megabytes: ARCHIVE_UPLOAD / 1024 / 1024,
      imports: await listImports(app, who.accountId),
    }),
  });

const takeImport = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { kind = "", mode = "merge" } = readTexts(request.body);
  const { file } = request.body as { file?: { filename?: string } };
  const chosen = KINDS.find((name) => name === kind) ?? guessKind(file?.filename ?? "");
  if (!file) return showImports(context, { file: context.t("import.choose") });
  if (!chosen) return showImports(context, { kind: context.t("import.which") });
  try {
    const input = { kind: chosen, file, overwrite: mode === "overwrite", start: false };
    return goTo(reply, `${IMPORT}/${await createImport(app, who, input)}`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return showImports(context, { file: formErrorText(context.t, error) });
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
    return showImports(context, { archive: formErrorText(context.t, error) });
  }
};

const own = ({ app, request, who }: PageContext): Promise<ImportRow> =>
  getImport(app, who.accountId, (request as ById).params.id);

const showImport = async (context: PageContext) => {
  const { app, reply, t } = context;
  const row = await own(context);
  const lines = row.failed > 0 ? await firstFailed(app, row) : [];
  // The page is loaded again without a script.
  if (row.state !== "new" && row.state !== "done") reply.header("refresh", "10");
  return sendSettings(reply, {
    title: t("import.title"),
    view: view("import", {
      row,
      fault: row.fault && faultText(t, row.fault),
      failed: lines.map(({ name, fault }) => ({ name, fault: faultText(t, fault) })),
      wouldRemove: row.state === "new" ? await wouldRemove(app, row) : null,
    }),
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
