// Serves import and export over the API. Mastodon has none; the addresses of the files are those of GoToSocial.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { LINES_UPLOAD, sendDownload } from "../../../platform/http/line-files.ts";
import { Type, byId, withBody } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Say } from "../../../platform/text/texts.ts";
import { EXPORTS, exportFile, exportName, exportTotals } from "./export.ts";
import {
  cancelImport,
  createImport,
  failuresFile,
  getImport,
  listImports,
  startImport,
} from "./import.ts";
import { wouldRemove } from "./preview.ts";
import { isOwnKind, ownKind } from "./own-kinds.ts";
import { KINDS } from "./tables.ts";
import type { ImportRow, Kind } from "./tables.ts";
import { fileOf } from "./formats.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { faultInEnglish } from "./faults.ts";
import type { WouldRemove } from "./preview.ts";

/** `gone` is what it would remove, for one that waits to be started. */
const importEntity = (row: ImportRow, gone: WouldRemove | null = null) => ({
  id: row.id,
  type: row.kind,
  mode: row.overwrite ? "overwrite" : "merge",
  state: row.state,
  file_name: row.file_name,
  error: row.fault && faultInEnglish(row.fault),
  total: row.total,
  imported: row.done,
  failed: row.failed,
  removed: row.removed,
  would_remove: gone,
  left_out: row.left_out,
  created_at: isoTime(row.created_at),
  finished_at: row.finished_at && isoTime(row.finished_at),
});

const ImportBody = Type.Object({
  type: Type.Enum([...KINDS]),
  mode: Type.Optional(Type.Enum(["merge", "overwrite"])),
  /** False where it waits until it is started, and shows what it would remove. */
  start: Type.Optional(Type.Boolean()),
  /** The uploaded file. */
  data: Type.Optional(Type.Unknown()),
});

/** `t` decides the language of the reasons. */
export const sendFailures = async (app: App, reply: FastifyReply, row: ImportRow, t: Say) => {
  const { kind } = row;
  const isJson = kind === "filters" || isOwnKind(kind);
  const lines = () => (kind === "posts" ? "posts.csv" : fileOf(kind as Kind));
  const file = isOwnKind(kind) ? ownKind(kind).file : lines();
  const name = file.replace(/\.(\w+)$/, "_failures.$1");
  const type = isJson ? "application/json; charset=utf-8" : "text/csv; charset=utf-8";
  return sendDownload(reply, { name, type, body: await failuresFile(app, row, t) });
};

const exportRoutes = (server: Server, app: App): void => {
  for (const [kind, scope] of EXPORTS) {
    const path = `/api/v1/exports/${exportName(kind)}`;
    const shape = kind === "filters" ? "map" : "csv";
    const config = extension(user(scope), "exports", { shape });
    server.get(path, { config }, async (request, reply) =>
      sendDownload(reply, await exportFile(app, kind, viewerOf(request).accountId)),
    );
  }
  const config = extension(user("read:accounts"), "exports", { shape: "map" });
  server.get("/api/v1/exports/stats", { config }, (request) =>
    exportTotals(app, viewerOf(request).accountId),
  );
};

type ById = FastifyRequest<{ Params: { id: string } }>;

export const transferRoutes = (server: Server, app: App): void => {
  exportRoutes(server, app);
  const own = (request: ById) => getImport(app, viewerOf(request).accountId, request.params.id);
  const shown = async (row: ImportRow) => importEntity(row, await wouldRemove(app, row));
  const list = extension(user("read"), "imports", { shape: "array" });
  const single = extension(user("read"), "imports", { shape: "map" }, "404");
  const write = extension(user("write"), "imports", { shape: "map" }, "404", "422");

  server.get("/api/v1/imports", { config: list }, async (request) =>
    (await listImports(app, viewerOf(request).accountId)).map((row) => importEntity(row)),
  );
  // Requires the whole of `write`, because it changes follows, blocks and the rest.
  server.post(
    "/api/v1/imports",
    withBody({ ...write, upload: LINES_UPLOAD }, ImportBody),
    async (request) => {
      const who = viewerOf(request);
      const { type: kind, mode, data: file, start = true } = request.body;
      const input = { kind, file, overwrite: mode === "overwrite", start };
      return shown(await getImport(app, who.accountId, await createImport(app, who, input)));
    },
  );
  server.get("/api/v1/imports/:id", byId(single), async (request) => shown(await own(request)));
  server.post("/api/v1/imports/:id/start", byId(write), async (request) => {
    await startImport(app, await own(request));
    return shown(await own(request));
  });
  server.get("/api/v1/imports/:id/failures", byId(single), async (request, reply) =>
    sendFailures(app, reply, await own(request), textsIn("en").t),
  );
  server.delete("/api/v1/imports/:id", byId(write), async (request) => {
    await cancelImport(app, await own(request));
    return {};
  });
};
