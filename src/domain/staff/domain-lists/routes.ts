// Serves lists of servers to block, over an admin API of our own, and the files of blocks as Mastodon writes them.

import { instantOf } from "../../../platform/time.ts";
import { readFile } from "node:fs/promises";
import type { App } from "../../../platform/app.ts";
import { decodeText } from "../../../platform/text/decode.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { extension } from "../../../platform/http/extension.ts";
import { UploadedFile } from "../../../platform/http/uploaded-file.ts";
import { IdParams, Type, byId, withBody, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { writeDomainCsv } from "../../base/blocklists/csv.ts";
import { allDomainBlocks } from "../../base/blocklists/lists.ts";
import { requestActor, requireActor } from "../moderation/actors.ts";
import { adminAccess } from "../moderation/admin-schema.ts";
import { importDomainBlocks } from "../moderation/import-domains.ts";
import { LINES_UPLOAD, sendCsv } from "../../../platform/http/line-files.ts";
import {
  addDomainList,
  addException,
  changeDomainList,
  getDomainList,
  listChanges,
  listDomainLists,
  listExceptions,
  previewDomainList,
  removeDomainList,
  removeException,
  syncDomainList,
} from "./lists.ts";
import { changeEntity, domainListEntity, planEntity } from "./present.ts";

const Flag = Type.Optional(Type.Boolean());
const Severity = Type.Optional(Type.String());
const ListBody = Type.Object({
  url: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  severities: Type.Optional(Type.Object({ suspend: Severity, silence: Severity, noop: Severity })),
  retract: Flag,
  dry_run: Flag,
});
const FileBody = Type.Object({
  data: Type.Optional(Type.Unknown()),
  overwrite: Flag,
  dry_run: Flag,
});
const DomainBody = Type.Object({ domain: Type.String() });
const SinceQuery = Type.Object({ since: Type.Optional(Type.String()) });

const TAG = "admin/domain_blocks";
const read = adminAccess("read", "domain_blocks");
const list = extension(read, TAG, { shape: "array" });
const single = extension(read, TAG, { shape: "map" }, "404");
const access = adminAccess("write", "domain_blocks");
const write = extension(access, TAG, { shape: "map" }, "404", "422");

const fileRoutes = (server: Server, app: App): void => {
  const file = extension(read, TAG, { shape: "csv" });
  server.get("/api/v1/admin/domain_blocks.csv", { config: file }, async (request, reply) => {
    await requireActor(app, request, "domain_blocks.read");
    return sendCsv(reply, "domain_blocks.csv", writeDomainCsv(await allDomainBlocks(app)));
  });

  server.post(
    "/api/v1/admin/domain_blocks/import",
    withBody({ ...write, upload: LINES_UPLOAD }, FileBody),
    async (request) => {
      const actor = await requireActor(app, request, "domain_blocks.write");
      const { data: file, overwrite = false, dry_run: dryRun = false } = request.body;
      if (!(file instanceof UploadedFile)) throw new Unprocessable("Send the file as `data`.");
      const text = decodeText(await readFile(file.path));
      const result = await importDomainBlocks(app, actor, text, { overwrite, dryRun });
      return { ...result, added: result.added.length, changed: result.changed.length };
    },
  );
};

const exceptionRoutes = (server: Server, app: App): void => {
  const path = "/api/v1/admin/domain_list_exceptions";
  server.get(path, { config: list }, async (request) =>
    listExceptions(app, await requestActor(app, request)),
  );
  server.post(path, withBody(write, DomainBody), async (request) => {
    await addException(app, await requestActor(app, request), request.body.domain);
    return {};
  });
  server.delete(path, withBody(write, DomainBody), async (request) => {
    await removeException(app, await requestActor(app, request), request.body.domain);
    return {};
  });
};

const PATH = "/api/v1/admin/domain_lists";

const readingRoutes = (server: Server, app: App): void => {
  server.get(PATH, { config: list }, async (request) =>
    (await listDomainLists(app, await requestActor(app, request))).map(domainListEntity),
  );

  server.get(`${PATH}/changes`, withQuery(list, SinceQuery), async (request) => {
    const actor = await requestActor(app, request);
    const since = instantOf(request.query.since ?? "") ?? addDays(app.clock.now(), -7);
    return (await listChanges(app, actor, since)).map(changeEntity);
  });

  server.get(`${PATH}/:id`, byId(single), async (request) => {
    const actor = await requestActor(app, request);
    return domainListEntity(await getDomainList(app, actor, request.params.id));
  });
};

export const domainListRoutes = (server: Server, app: App): void => {
  fileRoutes(server, app);
  exceptionRoutes(server, app);
  readingRoutes(server, app);

  server.post(PATH, withBody(write, ListBody), async (request) => {
    const actor = await requestActor(app, request);
    if (request.body.dry_run) return planEntity(await previewDomainList(app, actor, request.body));
    const id = await addDomainList(app, actor, request.body);
    return domainListEntity(await getDomainList(app, actor, id));
  });

  server.put(
    `${PATH}/:id`,
    { config: write, schema: { params: IdParams, body: ListBody } },
    async (request) => {
      const actor = await requestActor(app, request);
      const list = await getDomainList(app, actor, request.params.id);
      const { title, severities, retract } = request.body;
      await changeDomainList(app, actor, list.id, { title, severities, retract });
      return domainListEntity(await getDomainList(app, actor, list.id));
    },
  );

  server.post(`${PATH}/:id/sync`, byId(write), async (request) => {
    const actor = await requestActor(app, request);
    const list = await getDomainList(app, actor, request.params.id);
    await syncDomainList(app, actor, list);
    return domainListEntity(list);
  });

  server.delete(`${PATH}/:id`, byId(write), async (request) => {
    const actor = await requestActor(app, request);
    await removeDomainList(app, actor, await getDomainList(app, actor, request.params.id));
    return {};
  });
};
