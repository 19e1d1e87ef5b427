// Lists of servers to block that others keep: looked at first, followed, left again; exceptions, and what changed.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { addDays } from "../../platform/ids/index.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { DOMAIN_SEVERITIES } from "../../domain/blocklists/tables.ts";
import {
  addDomainList,
  addException,
  changeDomainList,
  getDomainList,
  listChanges,
  listDomainLists,
  listExceptions,
  MAPPED,
  previewDomainList,
  removeDomainList,
  removeException,
  syncDomainList,
} from "../../domain/domain-lists/lists.ts";
import type { ListInput } from "../../domain/domain-lists/lists.ts";
import type { ListPlan } from "../../domain/domain-lists/plan.ts";
import type {
  ChangeRow,
  DomainListRow,
  Mapped,
  Severities,
} from "../../domain/domain-lists/tables.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { countedText } from "../parts.ts";
import { LISTS, SERVER_TABS, SEVERITY_NAMES } from "./domains.ts";
import { formsOf, problemOf } from "./forms.ts";
import { button, editPart, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, badge, checkbox, empty, select, tabs } from "./parts.ts";

const READ = ["domain_blocks.read"] as const;
const WRITE = ["domain_blocks.write"] as const;
const TRY = `${LISTS}/try`;
const EXCEPTIONS = `${LISTS}/exceptions`;

const DONE = {
  added: "The list is being read; what it blocks follows within a minute.",
  saved: "The list has been changed; what follows from it is done within a minute.",
  synced: "The list is being read.",
  removed: "The subscription has ended; blocks that only this list has are being lifted.",
  excepted: "No list blocks this server any more.",
  unexcepted: "The lists decide about this server again.",
};

const MAPPED_NAMES: Record<Mapped, string> = { ...SEVERITY_NAMES, skip: "Nothing" };
const OF_LIST: Record<(typeof DOMAIN_SEVERITIES)[number], string> = {
  suspend: "Blocked on the list",
  silence: "Limited on the list",
  noop: "Partly on the list",
};

type Shown = { url: string; title: string; severities: Severities; retract: boolean };

const NEW: Shown = {
  url: "",
  title: "",
  severities: { suspend: "suspend", silence: "silence", noop: "skip" },
  retract: true,
};

const fields = ({ title, severities, retract }: Omit<Shown, "url">, of = "new"): Html => {
  const options = MAPPED.map((value) => ({ value, label: MAPPED_NAMES[value] }));
  return html`${inputField({ name: "title", id: `title-${of}`, label: "Name here", value: title, optional: true, maxlength: 200 })}
    <div class="filters">
      ${DOMAIN_SEVERITIES.toReversed().map((name) =>
        select(name, OF_LIST[name], options, severities[name], { id: `${name}-${of}` }),
      )}
    </div>
    <div class="choices">
      ${checkbox("retract", "Lift blocks that are no longer on the list", retract, `retract-${of}`)}
    </div>`;
};

const inputFrom = (context: Staff): ListInput => {
  const fields = entered(context);
  const severities = Object.fromEntries(
    DOMAIN_SEVERITIES.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])),
  );
  return { title: fields["title"], severities, retract: fields["retract"] === "1" };
};

/** What was entered, where a new list was tried or refused. */
const enteredList = (context: Staff): Shown | null => {
  const fields = { ...enteredAt(context, LISTS), ...enteredAt(context, TRY) };
  if (Object.keys(fields).length === 0) return null;
  const mapped = (name: keyof Severities): Mapped =>
    MAPPED.find((mapped) => mapped === fields[name]) ?? NEW.severities[name];
  return {
    url: fields["url"] ?? "",
    title: fields["title"] ?? "",
    severities: { suspend: mapped("suspend"), silence: mapped("silence"), noop: mapped("noop") },
    retract: fields["retract"] === "1",
  };
};

const item = (context: Staff, row: DomainListRow): Html => {
  const path = `${LISTS}/${row.id}`;
  const of = row.title;
  return html`<li>
    <div class="what">
      <strong>${row.title} ${row.fault !== null && badge("Cannot be read", "bad")}</strong>
      <span><a href="${row.url}" rel="noopener noreferrer nofollow">${row.url}</a></span>
      ${row.fault !== null && html`<span>${row.fault}</span>`}
      <span
        >${countedText(row.entries, "server", "servers")},
        ${row.fetched_at ? html`read ${whenText(row.fetched_at)}` : "not read yet"}, again
        ${whenText(row.due_at)}</span
      >
    </div>
    <div class="buttons">
      ${button(context, { action: `${path}/sync`, label: "Read now", of })}
      ${button(context, { action: `${path}/delete`, label: "Unsubscribe", of, kind: "bad" })}
    </div>
    ${editPart(context, `${path}/update`, fields(row, row.id))}
  </li>`;
};

const SHOWN = 50;

const planPart = (plan: ListPlan): Html => {
  const names = (rows: readonly { domain: string }[]): string =>
    rows.length === 0
      ? ""
      : `: ${rows
          .slice(0, SHOWN)
          .map(({ domain }) => domain)
          .join(", ")}${rows.length > SHOWN ? " …" : ""}`;
  const changed = plan.change.map(({ planned }) => planned);
  const rows: [string, number, string][] = [
    ["would be added", plan.add.length, names(plan.add)],
    ["would be changed", plan.change.length, names(changed)],
    ["would be lifted", plan.remove.length, names(plan.remove)],
    ["stay as the moderators decided", plan.kept, ""],
    ["are covered by blocks of domains above", plan.covered, ""],
    ["are as they should be", plan.unchanged, ""],
  ];
  return html`<section class="panel">
    <h2>Dry run: nothing has changed yet</h2>
    <ul>
      ${rows.map(([text, count, more]) => html`<li><strong>${count}</strong> ${text}${more}</li>`)}
    </ul>
  </section>`;
};

const CHANGES = { added: "good", changed: "mild", removed: "bad" } as const;

const changeText = ({ change, severity, before }: ChangeRow): string => {
  const name = (value: ChangeRow["severity"]) => (value ? SEVERITY_NAMES[value] : "");
  return change === "changed" ? `${name(before)} → ${name(severity)}` : name(severity ?? before);
};

const CHANGE_DAYS = 7;

const changesPart = async ({ app, actor }: Staff): Promise<HtmlValue> => {
  const changes = await listChanges(app, actor, addDays(app.clock.now(), -CHANGE_DAYS));
  return html`<h2>Changes of the last ${CHANGE_DAYS} days</h2>
    ${
      changes.length === 0
        ? empty("The lists have changed nothing.")
        : html`<ul class="rows">
            ${changes.slice(0, 200).map(
              (row) =>
                html`<li>
                  <div class="what">
                    <strong>${row.domain} ${badge(row.change, CHANGES[row.change])}</strong>
                    <span
                      >${changeText(row)} · ${row.lists.join(", ")} ·
                      ${whenText(row.created_at)}</span
                    >
                  </div>
                </li>`,
            )}
          </ul>`
    }`;
};

const exceptionsPart = async (context: Staff): Promise<Html> => {
  const domains = await listExceptions(context.app, context.actor);
  return html`<h2>Exceptions</h2>
    <p class="soft">No list blocks these servers, nor domains above or below them.</p>
    ${
      domains.length > 0 &&
      html`<ul class="rows">
        ${domains.map(
          (domain) =>
            html`<li>
              <div class="what"><strong>${domain}</strong></div>
              ${button(context, { action: `${EXCEPTIONS}/delete`, label: "Remove", of: domain, fields: { domain }, kind: "bad" })}
            </li>`,
        )}
      </ul>`
    }
    ${form(
      context,
      EXCEPTIONS,
      html`<div class="filters">
        ${inputField({ name: "domain", label: "Server", value: "", maxlength: 300 })}
        <button class="button">Add</button>
      </div>`,
    )}`;
};

const showWith = (plan: ListPlan | null) => async (context: Staff, problem?: string) => {
  const rows = await listDomainLists(context.app, context.actor);
  const list = enteredList(context);
  return sendAdmin(context, {
    title: "Servers",
    problem,
    done: DONE,
    body: html`${tabs("Servers", LISTS, SERVER_TABS)}
      <p>
        Lists that others keep are read every twelve hours. What moderators here decide about a
        server always comes first.
      </p>
      ${plan && planPart(plan)}
      ${addPart(
        "Subscribe to a list",
        list !== null,
        form(
          context,
          LISTS,
          html`${inputField({
              name: "url",
              label: "Address of the list",
              value: list?.url ?? "",
              maxlength: 2000,
              hint: "CSV as Mastodon writes it, or one domain a line.",
            })}
            ${fields(list ?? NEW)}
            <div class="buttons">
              <button class="button plain" formaction="${TRY}">Dry run</button>
              <button class="button">Subscribe</button>
            </div>`,
        ),
      )}
      ${
        rows.length === 0
          ? empty("There are no subscriptions.")
          : html`<ul class="rows">
              ${rows.map((row) => item(context, row))}
            </ul>`
      }
      ${await changesPart(context)} ${await exceptionsPart(context)}`,
  });
};

const show = showWith(null);

/** The page again, with what a subscription would change. */
const showTried = async (context: Staff) => {
  const { app, actor } = context;
  try {
    const url = entered(context)["url"];
    return showWith(await previewDomainList(app, actor, { ...inputFrom(context), url }))(context);
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return show(context, problemOf(context.t, error));
  }
};

export const domainListPages = (pages: Server, app: App): void => {
  const take = formsOf(pages, app, LISTS, WRITE, show);
  const withList =
    (work: (context: Staff, list: DomainListRow) => Promise<unknown>) => async (context: Staff) =>
      work(context, await getDomainList(app, context.actor, idOf(context)));
  const domain = (context: Staff) => entered(context)["domain"] ?? "";
  pages.get(LISTS, staffPage(app, READ, show));
  pages.post(TRY, staffPage(app, WRITE, showTried));
  take(LISTS, "added", (context) =>
    addDomainList(app, context.actor, { ...inputFrom(context), url: entered(context)["url"] }),
  );
  take(
    `${LISTS}/:id/update`,
    "saved",
    withList((context, list) => changeDomainList(app, context.actor, list, inputFrom(context))),
  );
  take(
    `${LISTS}/:id/sync`,
    "synced",
    withList(({ actor }, list) => syncDomainList(app, actor, list)),
  );
  take(
    `${LISTS}/:id/delete`,
    "removed",
    withList(({ actor }, list) => removeDomainList(app, actor, list)),
  );
  take(EXCEPTIONS, "excepted", (context) => addException(app, context.actor, domain(context)));
  take(`${EXCEPTIONS}/delete`, "unexcepted", (context) =>
    removeException(app, context.actor, domain(context)),
  );
};
