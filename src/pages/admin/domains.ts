// Lists other servers: those that are blocked or limited, and those that are allowed.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
import { readDomain } from "../../domain/base/blocklists/domains.ts";
import { domainBlocksAmong, pageOfBlocks } from "../../domain/base/blocklists/lists.ts";
import { DOMAIN_SEVERITIES } from "../../domain/base/blocklists/tables.ts";
import type {
  DomainBlockInput,
  DomainBlockRow,
  DomainSeverity,
} from "../../domain/base/blocklists/tables.ts";
import {
  createDomainAllow,
  createDomainBlock,
  deleteDomainAllow,
  deleteDomainBlock,
  updateDomainBlock,
} from "../../domain/staff/moderation/blocks.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { formsOf } from "./forms.ts";
import {
  button,
  editPart,
  entered,
  enteredAt,
  form,
  idOf,
  olderLink,
  pageOf,
  sendAdmin,
  staffPage,
} from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, badge, checkbox, empty, select } from "./components.ts";
import { ALLOWS, BLOCKS, limitBadge, serverPath, serverTabs } from "./server-parts.ts";

const LIMIT = 60;

const SEVERITIES: Record<DomainSeverity, Key> = {
  suspend: "network.blocks.suspend",
  silence: "network.blocks.silence",
  noop: "network.blocks.noop",
};

const DONE: Record<string, Key> = {
  added: "network.blocks.done.added",
  saved: "network.blocks.done.saved",
  removed: "network.blocks.done.removed",
};

type Shown = Pick<
  DomainBlockRow,
  | "severity"
  | "reject_media"
  | "reject_reports"
  | "obfuscate"
  | "public_comment"
  | "private_comment"
>;

export const NEW_BLOCK: Shown = {
  severity: "suspend",
  reject_media: false,
  reject_reports: false,
  obfuscate: false,
  public_comment: null,
  private_comment: null,
};

export const blockFields = ({ t }: Staff, row: Shown, of = "new"): Html => {
  const options = [...DOMAIN_SEVERITIES].map((value) => ({ value, label: t(SEVERITIES[value]) }));
  const comment = (name: "public_comment" | "private_comment", label: Key) =>
    inputField({
      name,
      id: `${name}-${of}`,
      label: t(label),
      value: row[name] ?? "",
      optional: true,
      maxlength: 1000,
    });
  return html`${select("severity", t("network.blocks.severity"), options.toReversed(), row.severity, { id: `severity-${of}` })}
    <div class="choices">
      ${checkbox("reject_media", t("network.blocks.reject_media"), row.reject_media, `media-${of}`)}
      ${checkbox("reject_reports", t("network.blocks.reject_reports"), row.reject_reports, `reports-${of}`)}
      ${checkbox("obfuscate", t("network.blocks.obfuscate"), row.obfuscate, `obfuscate-${of}`)}
    </div>
    ${comment("public_comment", "network.blocks.public_comment")}
    ${comment("private_comment", "network.blocks.private_comment")}`;
};

const item = (context: Staff, row: DomainBlockRow): Html => {
  const { t, language } = context;
  const path = `${BLOCKS}/${row.id}`;
  const more = [
    row.reject_media && t("network.blocks.no_media"),
    row.reject_reports && t("network.blocks.no_reports"),
  ].filter(Boolean);
  return html`<li>
    <div class="what">
      <strong
        ><a href="${serverPath(row.domain)}">${row.domain}</a> ${limitBadge(context, row)}
        ${more.length > 0 && badge(more.join(", "))}</strong
      >
      <span
        >${[row.public_comment, row.private_comment].filter(Boolean).map((text) => `${text} · `)}
        ${whenText(row.created_at, language)}</span
      >
    </div>
    <div class="buttons">
      ${button(context, { action: `${path}/delete`, label: t("network.blocks.lift"), of: row.domain, kind: "bad" })}
    </div>
    ${editPart(context, `${path}/update`, blockFields(context, row, row.id))}
  </li>`;
};

/** Finds the blocks that cover the requested domain, or the page of the list. */
const findBlocks = async (
  context: Staff,
): Promise<{ rows: DomainBlockRow[]; isAll: boolean; known: HtmlValue }> => {
  const { q = "" } = entered(context);
  if (q.trim() === "") {
    const rows = await pageOfBlocks(context.app, "domain_blocks", pageOf(context, LIMIT));
    return { rows, isAll: true, known: null };
  }
  const domain = readDomain(q);
  const { t } = context;
  if (domain === null) {
    return { rows: [], isAll: false, known: empty(t("network.blocks.no_domain")) };
  }
  const rows = await domainBlocksAmong(context.app.sql, domain);
  const known = html`<p>
    <a href="${serverPath(domain)}">${t("network.blocks.about", { domain })}</a>
  </p>`;
  return { rows, isAll: false, known };
};

const addForm = (context: Staff, draft: Partial<Record<string, string>>, shown: Shown): Html => {
  const { t } = context;
  return addPart(
    t("network.blocks.add"),
    draft["domain"] !== undefined,
    form(
      context,
      BLOCKS,
      html`${inputField({ name: "domain", label: t("network.servers.server"), value: draft["domain"] ?? "", maxlength: 300, hint: t("network.blocks.subdomains") })}
        ${blockFields(context, shown)} <button class="button inline">${t("staff.add")}</button>`,
    ),
  );
};

const showBlocks = async (context: Staff, problem?: string) => {
  const { t } = context;
  const { rows, isAll, known } = await findBlocks(context);
  const { q = "" } = entered(context);
  const draft = enteredAt(context, BLOCKS);
  const isRefused = problem !== undefined && draft["domain"] !== undefined;
  const shown = isRefused ? { ...NEW_BLOCK, ...blockInputFrom(context) } : NEW_BLOCK;
  return sendAdmin(context, {
    title: t("network.servers.title"),
    problem,
    done: DONE,
    body: html`${serverTabs(context, BLOCKS)} ${addForm(context, draft, shown)}
      <form method="get" action="${BLOCKS}" role="search">
        <div class="filters">
          ${inputField({ name: "q", label: t("network.blocks.look_up"), value: q, optional: true, maxlength: 300 })}
          <button class="button">${t("staff.search")}</button>
        </div>
      </form>
      ${known}
      ${
        rows.length === 0
          ? empty(t(isAll ? "network.blocks.none" : "network.blocks.none_there"))
          : html`<ul class="rows">
              ${rows.map((row) => item(context, row))}
            </ul>`
      }
      ${isAll && olderLink(context, rows, LIMIT)}`,
  });
};

export const blockInputFrom = (context: Staff): DomainBlockInput => {
  const fields = entered(context);
  const severity = DOMAIN_SEVERITIES.find((severity) => severity === fields["severity"]);
  return {
    ...(severity && { severity }),
    reject_media: fields["reject_media"] === "1",
    reject_reports: fields["reject_reports"] === "1",
    obfuscate: fields["obfuscate"] === "1",
    public_comment: fields["public_comment"]?.trim() || null,
    private_comment: fields["private_comment"]?.trim() || null,
  };
};

const showAllows = async (context: Staff, problem?: string) => {
  const { t, language } = context;
  const rows = await pageOfBlocks(context.app, "domain_allows", pageOf(context, LIMIT));
  return sendAdmin(context, {
    title: t("network.servers.title"),
    problem,
    done: DONE,
    body: html`${serverTabs(context, ALLOWS)}
      <p>${t("network.allows.about")}</p>
      ${addPart(
        t("network.allows.add"),
        problem !== undefined,
        form(
          context,
          ALLOWS,
          html`${inputField({ name: "domain", label: t("network.servers.server"), value: enteredAt(context, ALLOWS)["domain"] ?? "", maxlength: 300 })}
            <button class="button inline">${t("network.allows.allow")}</button>`,
        ),
      )}
      ${
        rows.length === 0
          ? empty(t("network.allows.none"))
          : html`<ul class="rows">
              ${rows.map(
                ({ id, domain, created_at: at }) =>
                  html`<li>
                    <div class="what">
                      <strong><a href="${serverPath(domain)}">${domain}</a></strong
                      ><span>${whenText(at, language)}</span>
                    </div>
                    ${button(context, { action: `${ALLOWS}/${id}/delete`, label: t("staff.remove"), of: domain, kind: "bad" })}
                  </li>`,
              )}
            </ul>`
      }
      ${olderLink(context, rows, LIMIT)}`,
  });
};

export const domainPages = (pages: Server, app: App): void => {
  const domain = (context: Staff) => entered(context)["domain"];
  pages.get(BLOCKS, staffPage(app, ["domain_blocks.read"], showBlocks));
  const block = formsOf(pages, app, BLOCKS, ["domain_blocks.write"], showBlocks);
  block(BLOCKS, "added", (context) =>
    createDomainBlock(app, context.actor, domain(context), blockInputFrom(context)),
  );
  block(`${BLOCKS}/:id/update`, "saved", (context) =>
    updateDomainBlock(app, context.actor, idOf(context), blockInputFrom(context)),
  );
  block(`${BLOCKS}/:id/delete`, "removed", (context) =>
    deleteDomainBlock(app, context.actor, idOf(context)),
  );
  pages.get(ALLOWS, staffPage(app, ["domain_allows.read"], showAllows));
  const allow = formsOf(pages, app, ALLOWS, ["domain_allows.write"], showAllows);
  allow(ALLOWS, "added", (context) => createDomainAllow(app, context.actor, domain(context)));
  allow(`${ALLOWS}/:id/delete`, "removed", (context) =>
    deleteDomainAllow(app, context.actor, idOf(context)),
  );
};
