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

const inputFrom = (asked: Staff): ListInput => {
  const given = entered(asked);
  const severities = Object.fromEntries(
    DOMAIN_SEVERITIES.flatMap((name) => (given[name] ? [[name, given[name]]] : [])),
  );
  return { title: given["title"], severities, retract: given["retract"] === "1" };
};

/** What was entered, where a new list was tried or refused. */
const enteredList = (asked: Staff): Shown | null => {
  const given = { ...enteredAt(asked, LISTS), ...enteredAt(asked, TRY) };
  if (Object.keys(given).length === 0) return null;
  const mapped = (name: keyof Severities): Mapped =>
    MAPPED.find((one) => one === given[name]) ?? NEW.severities[name];
  return {
    url: given["url"] ?? "",
    title: given["title"] ?? "",
    severities: { suspend: mapped("suspend"), silence: mapped("silence"), noop: mapped("noop") },
    retract: given["retract"] === "1",
  };
};

const item = (asked: Staff, row: DomainListRow): Html => {
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
      ${button(asked, { action: `${path}/sync`, label: "Read now", of })}
      ${button(asked, { action: `${path}/delete`, label: "Unsubscribe", of, kind: "bad" })}
    </div>
    ${editPart(asked, `${path}/update`, fields(row, row.id))}
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
  const changed = plan.change.map(({ planned: wanted }) => wanted);
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

const exceptionsPart = async (asked: Staff): Promise<Html> => {
  const domains = await listExceptions(asked.app, asked.actor);
  return html`<h2>Exceptions</h2>
    <p class="soft">No list blocks these servers, nor domains above or below them.</p>
    ${
      domains.length > 0 &&
      html`<ul class="rows">
        ${domains.map(
          (domain) =>
            html`<li>
              <div class="what"><strong>${domain}</strong></div>
              ${button(asked, { action: `${EXCEPTIONS}/delete`, label: "Remove", of: domain, fields: { domain }, kind: "bad" })}
            </li>`,
        )}
      </ul>`
    }
    ${form(
      asked,
      EXCEPTIONS,
      html`<div class="filters">
        ${inputField({ name: "domain", label: "Server", value: "", maxlength: 300 })}
        <button class="button">Add</button>
      </div>`,
    )}`;
};

const showWith = (plan: ListPlan | null) => async (asked: Staff, problem?: string) => {
  const rows = await listDomainLists(asked.app, asked.actor);
  const given = enteredList(asked);
  return sendAdmin(asked, {
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
        given !== null,
        form(
          asked,
          LISTS,
          html`${inputField({
              name: "url",
              label: "Address of the list",
              value: given?.url ?? "",
              maxlength: 2000,
              hint: "CSV as Mastodon writes it, or one domain a line.",
            })}
            ${fields(given ?? NEW)}
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
              ${rows.map((row) => item(asked, row))}
            </ul>`
      }
      ${await changesPart(asked)} ${await exceptionsPart(asked)}`,
  });
};

const show = showWith(null);

/** The page again, with what a subscription would change. */
const showTried = async (asked: Staff) => {
  const { app, actor } = asked;
  try {
    const url = entered(asked)["url"];
    return showWith(await previewDomainList(app, actor, { ...inputFrom(asked), url }))(asked);
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return show(asked, problemOf(error));
  }
};

export const domainListPages = (pages: Server, app: App): void => {
  const take = formsOf(pages, app, LISTS, WRITE, show);
  const withList =
    (work: (asked: Staff, list: DomainListRow) => Promise<unknown>) => async (asked: Staff) =>
      work(asked, await getDomainList(app, asked.actor, idOf(asked)));
  const domain = (asked: Staff) => entered(asked)["domain"] ?? "";
  pages.get(LISTS, staffPage(app, READ, show));
  pages.post(TRY, staffPage(app, WRITE, showTried));
  take(LISTS, "added", (asked) =>
    addDomainList(app, asked.actor, { ...inputFrom(asked), url: entered(asked)["url"] }),
  );
  take(
    `${LISTS}/:id/update`,
    "saved",
    withList((asked, list) => changeDomainList(app, asked.actor, list, inputFrom(asked))),
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
  take(EXCEPTIONS, "excepted", (asked) => addException(app, asked.actor, domain(asked)));
  take(`${EXCEPTIONS}/delete`, "unexcepted", (asked) =>
    removeException(app, asked.actor, domain(asked)),
  );
};
