// Serves two pages of a person's settings: exports, and imports.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Field, Option, Part, Row } from "../../../../web/src/served/part-pages.ts";
import type { App } from "../../../platform/app.ts";
import { faultOf } from "../../../platform/errors.ts";
import { BODY_LIMIT } from "../../../platform/http/body.ts";
import { sendStored } from "../../../platform/http/media.ts";
import type { Server } from "../../../platform/http/server.ts";
import { isoDate } from "../../../platform/ids/index.ts";
import { says } from "../../../platform/text/texts.ts";
import type { Say } from "../../../platform/text/texts.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { visitor } from "../../people/users/pages/cookies.ts";
import { askedAsMember, EXPORT } from "../../people/users/pages/member.ts";
import { mayUseRights } from "../../people/users/sign-in.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { formOf } from "../../people/users/pages/fields.ts";
import { goTo, refusable, sendServed } from "../../people/users/pages/components.ts";
import type { ArchiveRow } from "./archive/request.ts";
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
import type { ImportRow, LeftOut } from "./tables.ts";

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

const exportRow = (t: Say, kind: ExportKind, count: number): Row => {
  const name = t(`transfer.kind.${kind}`);
  return {
    title: name,
    lines: [count],
    acts: [
      {
        link: downloadPath(kind),
        text: { say: "export.download" },
        label: ["export.download_of", { name }],
        isButton: true,
        isFile: true,
      },
    ],
  };
};

const archiveRow = ({ id, created_at: at, bytes }: ArchiveRow, again: Date): Row => ({
  title: { say: "export.archive_of", with: { time: at } },
  lines: [
    { say: "export.archive_size", values: { size: megabytes(bytes) }, with: { time: again } },
  ],
  acts: [
    {
      link: `${EXPORT}/archive/${id}`,
      text: { say: "export.download" },
      isButton: true,
      isFile: true,
    },
  ],
});

const showExport = async (context: PageContext) => {
  const { app, who, t } = context;
  const totals = await exportTotals(app, who.accountId);
  const row = await getNewestArchive(app, who.accountId);
  const again = row && mayAskAgainAt(row);
  return sendServed(context, {
    title: "export.title",
    done: ARCHIVE_DONE,
    parts: [
      { text: { say: "export.about" } },
      { rows: EXPORTS.map(([kind]) => exportRow(t, kind, totals[kind])) },
      { heading: "export.archive" },
      { text: { say: "export.archive_about" } },
      row?.state === "done" && { rows: [archiveRow(row, again!)] },
      row?.state === "waiting" && { text: { say: "export.waiting" } },
      (!again || again <= app.clock.now()) && formOf(`${EXPORT}/archive`, "export.request"),
    ],
  });
};

const DONE = { cancelled: "import.cancelled" } as const;

const importRow = (t: Say, row: ImportRow): Row => {
  const { id, kind, state, done, total, failed } = row;
  const values = { state: t(`import.state.${state}`), done, total, failed };
  return {
    href: `${IMPORT}/${id}`,
    title: { say: `transfer.kind.${kind}` },
    lines: [row.file_name, t(failed > 0 ? "import.progress_failed" : "import.progress", values)],
  };
};

const FILE_FIELDS: readonly Field[] = [
  {
    name: "kind",
    label: "import.kind",
    options: [
      ["", "import.by_name"],
      ...KINDS.map((kind): Option => [kind, `transfer.kind.${kind}`]),
    ],
  },
  { name: "file", label: "import.file", type: "file", accept: ".csv,.json,text/csv" },
  {
    name: "mode",
    label: "import.existing",
    as: "radios",
    options: [
      ["merge", "import.merge"],
      ["overwrite", "import.overwrite"],
    ],
  },
];

const ARCHIVE_FIELDS: readonly Field[] = [
  {
    name: "archive",
    label: "import.archive",
    hint: ["import.archive_hint", { size: ARCHIVE_UPLOAD / 1024 / 1024 }],
    type: "file",
    accept: ".zip,.gz,.tgz,.tar,.json,.csv",
  },
  {
    boxes: [
      { name: "lists", label: "import.archive_lists" },
      { name: "settings", label: "import.archive_settings" },
    ],
  },
];

const showImports = async (context: PageContext) => {
  const { app, who, t } = context;
  const rows = await listImports(app, who.accountId);
  return sendServed(context, {
    title: "import.title",
    done: DONE,
    parts: [
      { text: { say: "import.about" } },
      formOf(IMPORT, "import.upload", FILE_FIELDS, { isUpload: true, values: { mode: "merge" } }),
      { heading: "import.posts" },
      { text: { say: "import.archive_about" } },
      formOf(`${IMPORT}/posts`, "import.archive_send", ARCHIVE_FIELDS, {
        isUpload: true,
        values: { lists: true },
      }),
      rows.length > 0 && { heading: "import.own" },
      { rows: rows.map((row) => importRow(t, row)) },
    ],
  });
};

const takeImport = async ({ app, request, reply, who }: PageContext) => {
  const { kind = "", mode = "merge" } = readTexts(request.body);
  const { file } = request.body as { file?: { filename?: string } };
  const chosen = KINDS.find((name) => name === kind) ?? guessKind(file?.filename ?? "");
  if (!file) throw faultOf("file", says("import.choose"));
  if (!chosen) throw faultOf("kind", says("import.which"));
  const input = { kind: chosen, file, overwrite: mode === "overwrite", start: false };
  return goTo(reply, `${IMPORT}/${await createImport(app, who, input)}`);
};

const takeArchive = async ({ app, request, reply, who }: PageContext) => {
  const { archive: file } = request.body as { archive?: unknown };
  const { lists, settings } = readTexts(request.body);
  const besides = { lists: lists === "1", settings: settings === "1" };
  return goTo(reply, `${IMPORT}/${await createArchiveImport(app, who, { file, besides })}`);
};

const own = ({ app, request, who }: PageContext): Promise<ImportRow> =>
  getImport(app, who.accountId, (request as ById).params.id);

const factRows = (t: Say, row: ImportRow): Row[] => {
  const { done, failed, removed } = row;
  const parts = [
    t("import.imported", { done }),
    failed > 0 && t("import.failed", { failed }),
    removed > 0 && t("import.removed", { removed }),
  ];
  return [
    {
      title: row.file_name,
      lines: [t(`transfer.kind.${row.kind}`), t("import.in_file", { count: row.total })],
    },
    { title: t(`import.state.${row.state}`), lines: [{ joined: parts }] },
  ];
};

const runningParts = ({ total, done, failed }: ImportRow): Part[] => [
  { progress: [done + failed, total], label: "import.bar" },
  { text: { say: "import.leave" }, kind: "soft small" },
];

/** Shows what was left out of an archive. */
const leftParts = (t: Say, { left_out: leftOut }: ImportRow): Part[] => {
  const names = Object.keys(leftOut) as (keyof LeftOut)[];
  if (names.length === 0) return [];
  const items = names.map((name) => t(`import.left.${name}`, { count: leftOut[name]! }));
  return [{ text: { say: "import.left_out" } }, { items, kind: "small" }];
};

/** Lists what would be removed, as far as there is room, before somebody starts it. */
const removalParts = (t: Say, row: ImportRow, gone: WouldRemove | null): Part[] => {
  if (!gone) return [];
  const { count, names } = gone;
  if (count === 0) return [{ text: { say: "import.removes_nothing" } }];
  const values = { name: t(`transfer.kind.${row.kind}`), count };
  const items = [...names.map((code) => ({ code })), ...(count > names.length ? ["…"] : [])];
  return [
    { notice: { say: "import.will_remove", values }, kind: "bad" },
    { items, kind: "small" },
  ];
};

/** Shows the first failed lines; the file has all. */
const failedParts = async (app: App, t: Say, row: ImportRow): Promise<Part[]> => {
  if (row.failed === 0) return [];
  const lines = await firstFailed(app, row);
  const link = `${IMPORT}/${row.id}/failures`;
  return [
    {
      items: lines.map(({ name, fault }) => [{ code: name }, { soft: faultText(t, fault) }]),
      kind: "small",
    },
    { text: { link, text: { say: "import.failures" } } },
  ];
};

const showImport = async (context: PageContext) => {
  const { app, reply, t } = context;
  const row = await own(context);
  const { id, state, fault, finished_at: end } = row;
  const isNew = state === "new";
  const isDone = state === "done";
  // The page is loaded again without a script.
  if (!isNew && !isDone) reply.header("refresh", "10");
  return sendServed(context, {
    title: "import.title",
    parts: [
      { rows: factRows(t, row) },
      fault && { notice: faultText(t, fault), kind: "bad" },
      ...(isNew || isDone ? [] : runningParts(row)),
      isDone && end && { text: { say: "import.finished", with: { time: end } } },
      ...(await failedParts(app, t, row)),
      ...leftParts(t, row),
      ...removalParts(t, row, await wouldRemove(app, row)),
      !isDone && {
        acts: [
          isNew && { action: `${IMPORT}/${id}/start`, label: "import.start", kind: "" },
          { action: `${IMPORT}/${id}/cancel`, label: "import.cancel" },
        ],
      },
      { below: [[IMPORT, "import.back"]] },
    ],
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
    pages.get(IMPORT, page(showImports));
    pages.post(
      IMPORT,
      { config: { upload: LINES_UPLOAD } },
      page(refusable(takeImport, showImports, "file")),
    );
    // Only members may send that much.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!(await visitor(app, request))) await refuse(request, reply);
    };
    const refuse = page(async ({ reply }) => reply);
    const upload = { body: ARCHIVE_UPLOAD + BODY_LIMIT, file: ARCHIVE_UPLOAD };
    pages.post(
      `${IMPORT}/posts`,
      { config: { upload }, onRequest },
      page(refusable(takeArchive, showImports, "archive")),
    );
    pages.post(`${EXPORT}/archive`, right(refusable(takeRequest, showExport)));
    pages.get(`${EXPORT}/archive/:id`, right(sendArchive));
    pages.get(`${IMPORT}/:id`, page(showImport));
    pages.get(
      `${IMPORT}/:id/failures`,
      page(async (context) => sendFailures(app, context.reply, await own(context), context.t)),
    );
    pages.post(`${IMPORT}/:id/start`, page(takeStart));
    pages.post(`${IMPORT}/:id/cancel`, page(takeCancel));
  };
