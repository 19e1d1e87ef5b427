// Serves the lists of moderators: blocked and allowed servers, addresses of clients and of e-mail.
// https://docs.joinmastodon.org/methods/admin/domain_blocks/ and its neighbours

import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import { BadRequest } from "../../../platform/errors.ts";
import { linkPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Type, byId, changingById, paged, withBody } from "../../../platform/http/schema.ts";
import type { Static } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { canonicalBlocks } from "../../base/blocklists/emails.ts";
import { getBlock, loadTries, pageOfBlocks } from "../../base/blocklists/lists.ts";
import type { Blocklist, RowOf } from "../../base/blocklists/lists.ts";
import { DOMAIN_SEVERITIES, IP_SEVERITIES } from "../../base/blocklists/tables.ts";
import type { EmailDomainBlockRow } from "../../base/blocklists/tables.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { requestActor, requireActor } from "./actors.ts";
import { adminAccess } from "./admin-schema.ts";
import {
  createCanonicalBlock,
  createDomainAllow,
  createDomainBlock,
  createEmailDomainBlock,
  createIpBlock,
  deleteCanonicalBlock,
  deleteDomainAllow,
  deleteDomainBlock,
  deleteEmailDomainBlock,
  deleteIpBlock,
  updateDomainBlock,
  updateIpBlock,
} from "./blocks.ts";
import {
  adminDomainBlockEntity,
  canonicalBlockEntity,
  domainAllowEntity,
  emailDomainBlockEntity,
  ipBlockEntity,
} from "./blocks-present.ts";

type ListDefinition<T extends Blocklist> = {
  list: T;
  max: number;
  present: (app: App, rows: RowOf[T][]) => Promise<unknown[]>;
  remove: (app: App, actor: Actor, id: string) => Promise<void>;
};

const each =
  <R>(entity: (row: R) => unknown) =>
  async (_app: App, rows: R[]): Promise<unknown[]> =>
    rows.map(entity);

const ADMIN = "/api/v1/admin";

/** Adds routes that are the same for all lists: reading a list, one entry, and removing one. */
const commonRoutes = <T extends Blocklist>(
  server: Server,
  app: App,
  { list, max, present, remove }: ListDefinition<T>,
): void => {
  const path = `${ADMIN}/${list}`;
  const config = adminAccess("read", list);
  server.get(path, paged(config), async (request, reply) => {
    await requireActor(app, request, `${list}.read`);
    const page = parsePage(request.query as object, 100, max);
    const rows = await pageOfBlocks(app, list, page);
    const ids = rows.map(({ id }) => id);
    linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
    return present(app, rows);
  });
  server.get(`${path}/:id`, byId(config), async (request) => {
    await requireActor(app, request, `${list}.read`);
    const { id } = request.params as { id: string };
    const [entity] = await present(app, [await getBlock(app, list, pathId(id))]);
    return entity;
  });
  const removing = byId(adminAccess("write", list));
  server.delete(`${path}/:id`, removing, async (request) => {
    const { id } = request.params as { id: string };
    await remove(app, await requestActor(app, request), pathId(id));
    return {};
  });
};

const Text = Type.Optional(Type.String({ maxLength: 5000 }));
const NullableText = Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()]));
const Flag = Type.Optional(Type.Boolean());

const domainMembers = {
  severity: Type.Optional(Type.Enum([...DOMAIN_SEVERITIES])),
  reject_media: Flag,
  reject_reports: Flag,
  private_comment: NullableText,
  public_comment: NullableText,
  obfuscate: Flag,
};
const DomainBody = Type.Object({ domain: Text, ...domainMembers });
const DomainChange = Type.Object(domainMembers);

const domainRoutes = (server: Server, app: App): void => {
  commonRoutes(server, app, {
    list: "domain_blocks",
    max: 500,
    remove: deleteDomainBlock,
    present: each(adminDomainBlockEntity),
  });
  const config = adminAccess("write", "domain_blocks");
  server.post(`${ADMIN}/domain_blocks`, withBody(config, DomainBody), async (request) => {
    const actor = await requestActor(app, request);
    const { domain, ...members } = request.body;
    return adminDomainBlockEntity(await createDomainBlock(app, actor, domain, members));
  });
  server.route({
    url: `${ADMIN}/domain_blocks/:id`,
    ...changingById(config, DomainChange),
    handler: async (request) => {
      const actor = await requestActor(app, request);
      const id = pathId(request.params.id);
      return adminDomainBlockEntity(await updateDomainBlock(app, actor, id, request.body));
    },
  });
};

const AllowBody = Type.Object({ domain: Text });

const allowRoutes = (server: Server, app: App): void => {
  commonRoutes(server, app, {
    list: "domain_allows",
    max: 500,
    remove: deleteDomainAllow,
    present: each(domainAllowEntity),
  });
  const config = adminAccess("write", "domain_allows");
  server.post(`${ADMIN}/domain_allows`, withBody(config, AllowBody), async (request) => {
    const actor = await requestActor(app, request);
    return domainAllowEntity(await createDomainAllow(app, actor, request.body.domain));
  });
};

const emailEntities = async (app: App, rows: EmailDomainBlockRow[]) => {
  const tries = await loadTries(app, rows);
  const now = app.clock.now();
  return rows.map((row) => emailDomainBlockEntity(row, tries.get(row.id) ?? [], now));
};

const EmailDomainBody = Type.Object({ domain: Text, allow_with_approval: Flag });

const emailDomainRoutes = (server: Server, app: App): void => {
  const list = "email_domain_blocks";
  commonRoutes(server, app, {
    list,
    max: 200,
    remove: deleteEmailDomainBlock,
    present: emailEntities,
  });
  const config = adminAccess("write", list);
  server.post(`${ADMIN}/${list}`, withBody(config, EmailDomainBody), async (request) => {
    const actor = await requestActor(app, request);
    const { domain, allow_with_approval: withApproval = false } = request.body;
    const row = await createEmailDomainBlock(app, actor, { domain, withApproval });
    return (await emailEntities(app, [row]))[0];
  });
};

const CanonicalBody = Type.Object({ email: Text, canonical_email_hash: Text });
const EmailBody = Type.Object({ email: Text });

const canonicalRoutes = (server: Server, app: App): void => {
  const list = "canonical_email_blocks";
  commonRoutes(server, app, {
    list,
    max: 200,
    remove: deleteCanonicalBlock,
    present: each(canonicalBlockEntity),
  });
  const config = adminAccess("write", list);
  server.post(`${ADMIN}/${list}`, withBody(config, CanonicalBody), async (request) => {
    const actor = await requestActor(app, request);
    const { email, canonical_email_hash: hash } = request.body;
    return canonicalBlockEntity(await createCanonicalBlock(app, actor, { email, hash }));
  });
  const reading = adminAccess("read", list);
  server.post(`${ADMIN}/${list}/test`, withBody(reading, EmailBody), async (request) => {
    await requireActor(app, request, `${list}.read`);
    const { email } = request.body;
    if (!email?.includes("@")) throw new BadRequest("email must be an email address");
    return (await canonicalBlocks(app, email)).map(canonicalBlockEntity);
  });
};

const IpBody = Type.Object({
  ip: Text,
  severity: Type.Optional(Type.Enum([...IP_SEVERITIES])),
  comment: Text,
  expires_in: Type.Optional(Type.Integer()),
});

const ipInput = ({ expires_in: expiresIn, ...rest }: Static<typeof IpBody>) => ({
  ...rest,
  expiresIn,
});

const ipRoutes = (server: Server, app: App): void => {
  commonRoutes(server, app, {
    list: "ip_blocks",
    max: 200,
    remove: deleteIpBlock,
    present: each(ipBlockEntity),
  });
  const config = adminAccess("write", "ip_blocks");
  server.post(`${ADMIN}/ip_blocks`, withBody(config, IpBody), async (request) => {
    const actor = await requestActor(app, request);
    return ipBlockEntity(await createIpBlock(app, actor, ipInput(request.body), request.ip));
  });
  server.route({
    url: `${ADMIN}/ip_blocks/:id`,
    ...changingById(config, IpBody),
    handler: async (request) => {
      const actor = await requestActor(app, request);
      const id = pathId(request.params.id);
      return ipBlockEntity(await updateIpBlock(app, actor, id, ipInput(request.body), request.ip));
    },
  });
};

export const adminBlockRoutes = (server: Server, app: App): void => {
  domainRoutes(server, app);
  allowRoutes(server, app);
  emailDomainRoutes(server, app);
  canonicalRoutes(server, app);
  ipRoutes(server, app);
};
