// Other servers: those that are blocked or limited, and those that are allowed.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { readDomain } from "../../domain/blocklists/domains.ts";
import { domainBlocksAmong, pageOfBlocks } from "../../domain/blocklists/lists.ts";
import { DOMAIN_SEVERITIES } from "../../domain/blocklists/tables.ts";
import type {
  DomainBlockInput,
  DomainBlockRow,
  DomainSeverity,
} from "../../domain/blocklists/tables.ts";
import {
  createDomainAllow,
  createDomainBlock,
  deleteDomainAllow,
  deleteDomainBlock,
  updateDomainBlock,
} from "../../domain/moderation/blocks.ts";
import { may } from "../../domain/moderation/acts.ts";
import { peersOf, softwareText } from "../../domain/peers/peers.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
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
import { addPart, badge, checkbox, empty, select, tabs } from "./parts.ts";
import { KNOWN_CAP, selectKnown } from "./queries.ts";

const BLOCKS = "/admin/domains";
const ALLOWS = "/admin/domains/allowed";
export const LISTS = "/admin/domains/lists";
const LIMIT = 60;

export const SERVER_TABS = [
  [BLOCKS, "Blocked"],
  [ALLOWS, "Allowed"],
  [LISTS, "Lists"],
] as const;

export const SEVERITY_NAMES: Record<DomainSeverity, string> = {
  suspend: "Blocked",
  silence: "Limited",
  noop: "Partly",
};

const SEVERITIES: Record<DomainSeverity, string> = {
  suspend: "Block: nothing from there, and nothing to there",
  silence: "Limit: only followers see its people",
  noop: "Only what is chosen below",
};

const DONE = {
  added: "The server is on the list.",
  saved: "The entry has been changed.",
  removed: "The server is no longer on the list.",
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

const NEW: Shown = {
  severity: "suspend",
  reject_media: false,
  reject_reports: false,
  obfuscate: false,
  public_comment: null,
  private_comment: null,
};

const fields = (row: Shown, of = "new"): Html => {
  const options = [...DOMAIN_SEVERITIES].map((value) => ({ value, label: SEVERITIES[value] }));
  const comment = (name: "public_comment" | "private_comment", label: string) =>
    inputField({
      name,
      id: `${name}-${of}`,
      label,
      value: row[name] ?? "",
      optional: true,
      maxlength: 1000,
    });
  return html`${select("severity", "How much", options.toReversed(), row.severity, { id: `severity-${of}` })}
    <div class="choices">
      ${checkbox("reject_media", "Show no media from there", row.reject_media, `media-${of}`)}
      ${checkbox("reject_reports", "Take no reports from there", row.reject_reports, `reports-${of}`)}
      ${checkbox("obfuscate", "Hide part of the name in the public list", row.obfuscate, `obfuscate-${of}`)}
    </div>
    ${comment("public_comment", "Reason, for everybody")}
    ${comment("private_comment", "Reason, for the staff")}`;
};

const item = (context: Staff, row: DomainBlockRow): Html => {
  const path = `${BLOCKS}/${row.id}`;
  const more = [row.reject_media && "no media", row.reject_reports && "no reports"].filter(Boolean);
  return html`<li>
    <div class="what">
      <strong
        >${row.domain}
        ${badge(SEVERITY_NAMES[row.severity], row.severity === "suspend" ? "bad" : "mild")}
        ${more.length > 0 && badge(more.join(", "))}</strong
      >
      <span
        >${[row.public_comment, row.private_comment].filter(Boolean).map((text) => `${text} · `)}
        ${whenText(row.created_at)}</span
      >
    </div>
    <div class="buttons">
      ${button(context, { action: `${path}/delete`, label: "Lift", of: row.domain, kind: "bad" })}
    </div>
    ${editPart(context, `${path}/update`, fields(row, row.id))}
  </li>`;
};

/** How much is known of a server. */
const knownPart = async ({ app, actor }: Staff, domain: string): Promise<Html> => {
  const known = await selectKnown(app.sql, domain);
  const servers = await peersOf(app, domain);
  const fact = (name: string, value: HtmlValue) =>
    html`<dt>${name}</dt>
      <dd>${value}</dd>`;
  const number = (value: number) =>
    `${value === KNOWN_CAP ? "at least " : ""}${value.toLocaleString("en-US")}`;
  const people = `/admin/accounts?${new URLSearchParams({ origin: "remote", by_domain: domain })}`;
  const accounts =
    known.accounts > 0 && may(actor, "accounts.read")
      ? html`<a href="${people}">${number(known.accounts)}</a>`
      : number(known.accounts);
  return html`<section class="panel">
    <h2>${domain}</h2>
    <dl class="details-list">
      ${fact("Known accounts", accounts)} ${fact("Followed from here", number(known.followed))}
      ${fact("Followers of people here", number(known.followers))}
      ${fact("Reports about them", number(known.reports))}
      ${fact("Deliveries that wait", number(known.waiting))}
      ${servers.map((server) => fact(server.host === domain ? "Software" : `Software of ${server.host}`, html`${softwareText(server) || "unknown"} (asked ${whenText(server.checked_at)})`))}
      ${
        known.failing_since &&
        fact("Has not answered since", html`${whenText(known.failing_since)}`)
      }
    </dl>
  </section>`;
};

/** What covers the domain that is asked for, or the page of the list. */
const findBlocks = async (
  context: Staff,
): Promise<{ rows: DomainBlockRow[]; isAll: boolean; known: HtmlValue }> => {
  const { q = "" } = entered(context);
  if (q.trim() === "") {
    const rows = await pageOfBlocks(context.app, "domain_blocks", pageOf(context, LIMIT));
    return { rows, isAll: true, known: null };
  }
  const domain = readDomain(q);
  if (domain === null) return { rows: [], isAll: false, known: empty("This is not a domain.") };
  const rows = await domainBlocksAmong(context.app, domain);
  return { rows, isAll: false, known: await knownPart(context, domain) };
};

const showBlocks = async (context: Staff, problem?: string) => {
  const { rows, isAll, known } = await findBlocks(context);
  const { q = "" } = entered(context);
  const draft = enteredAt(context, BLOCKS);
  const shown = problem && draft["domain"] !== undefined ? { ...NEW, ...inputFrom(context) } : NEW;
  return sendAdmin(context, {
    title: "Servers",
    problem,
    done: DONE,
    body: html`${tabs("Servers", BLOCKS, SERVER_TABS)}
      ${addPart(
        "Block or limit a server",
        draft["domain"] !== undefined,
        form(
          context,
          BLOCKS,
          html`${inputField({ name: "domain", label: "Server", value: draft["domain"] ?? "", maxlength: 300, hint: "Its subdomains are meant, too." })}
            ${fields(shown)} <button class="button inline">Add</button>`,
        ),
      )}
      <form method="get" action="${BLOCKS}" role="search">
        <div class="filters">
          ${inputField({ name: "q", label: "Look up a server", value: q, optional: true, maxlength: 300 })}
          <button class="button">Search</button>
        </div>
      </form>
      ${known}
      ${
        rows.length === 0
          ? empty(isAll ? "No server is blocked." : "Nothing is blocked there.")
          : html`<ul class="rows">
              ${rows.map((row) => item(context, row))}
            </ul>`
      }
      ${isAll && olderLink(context, rows, LIMIT)}`,
  });
};

const inputFrom = (context: Staff): DomainBlockInput => {
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
  const rows = await pageOfBlocks(context.app, "domain_allows", pageOf(context, LIMIT));
  return sendAdmin(context, {
    title: "Servers",
    problem,
    done: DONE,
    body: html`${tabs("Servers", ALLOWS, SERVER_TABS)}
      <p>The list of allowed servers is for networks that only talk to servers they know.</p>
      ${addPart(
        "Allow a server",
        problem !== undefined,
        form(
          context,
          ALLOWS,
          html`${inputField({ name: "domain", label: "Server", value: enteredAt(context, ALLOWS)["domain"] ?? "", maxlength: 300 })}
            <button class="button inline">Allow</button>`,
        ),
      )}
      ${
        rows.length === 0
          ? empty("No server is on this list.")
          : html`<ul class="rows">
              ${rows.map(
                ({ id, domain, created_at: at }) =>
                  html`<li>
                    <div class="what"><strong>${domain}</strong><span>${whenText(at)}</span></div>
                    ${button(context, { action: `${ALLOWS}/${id}/delete`, label: "Remove", of: domain, kind: "bad" })}
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
    createDomainBlock(app, context.actor, domain(context), inputFrom(context)),
  );
  block(`${BLOCKS}/:id/update`, "saved", (context) =>
    updateDomainBlock(app, context.actor, idOf(context), inputFrom(context)),
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
